import ArgumentParser
import Foundation
import GraphdClient

/// The delay that one large author causes for a small one, and the cost of a hub's post.
struct FairnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fairness",
        abstract: "A small author's post, alone and behind a push to 1,000,000 followers; and a hub's post.",
        discussion: """
            Alone and behind take turns. Behind means: the large author's post is acknowledged before the small \
            author's is sent, and still under way when that has arrived; a run where it is not fails. A time goes from \
            sending the post until the page of the last of its followers shows it; the receipt's is the server's own, \
            from acknowledgement to last delivery. Part of the large author's followers have windows; the others' cost \
            a look each. Then a server that pulls hubs gets the same posts.

            Example:
              loadtests fairness --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Followers of the large author.") var large = 1_000_000
    @Option(help: "Followers of the large author with a window.") var windows = 20_000
    @Option(help: "Followers of the small author, all with a window.") var small = 1_000
    @Option(help: "Posts of each kind.") var runs = 20
    @Option(help: "Hub threshold of the server that pulls.") var threshold = 10_000
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("fairness")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        var table = FigureTable(
            "fairness",
            sizes: ["largeFollowers": large, "windows": windows, "smallFollowers": small, "runs": runs],
            columns: [
                "what", "postP50_ms", "seenP50_ms", "seenP99_ms", "receiptP50_ms", "seenToAlone", "receiptToAlone",
            ])
        let pushed = try await pushedRuns(directory, data)
        table.add("small author, alone", pushed.alone, comparedWith: nil)
        table.add("small author, behind", pushed.behind, comparedWith: pushed.alone)
        table.add("large author, pushed", pushed.large, comparedWith: nil)
        let pulled = try await pulledRuns(data)
        table.add("small author, hubs pulled", pulled.small, comparedWith: nil)
        table.add("hub", pulled.hub, comparedWith: pulled.small)
        print(try table.rendered(json: json))
    }

    private func pushedRuns(
        _ directory: String, _ data: String
    ) async throws -> (alone: Arrivals, behind: Arrivals, large: Arrivals) {
        try writeFollows("l", to: "large", 1...windows, directory + "/first.csv")
        try writeFollows("s", to: "small", 1...small, directory + "/second.csv")
        for file in ["/first.csv", "/second.csv"] {
            try Program.run(graphd, ["import", "follows", directory + file, "--data-dir", data])
        }
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--hub-threshold", "0"])
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        if windows < large {
            Progress.say("importing the other \(large - windows) followers beside the server")
            try writeFollows("l", to: "large", windows + 1...large, directory + "/third.csv")
            try server.command(["import", "follows", directory + "/third.csv"])
            try await server.client.waitUntilOutboxIsEmpty()
        }
        let people = try await people(server)
        var (alone, behind, pushed) = (Arrivals(), Arrivals(), Arrivals())
        // The first of each is a warm-up.
        for number in 0...runs {
            let quiet = try await people.small.arrival(number)
            try await server.client.waitUntilOutboxIsEmpty()
            let start = ContinuousClock.now
            let largePost = try await people.large.author.publish(SampleGraph.draft(number))
            let acknowledged = start.duration(to: .now)
            let crowded = try await people.small.arrival(number)
            guard try await people.large.author.posts.delivery(postId: largePost).pending else {
                throw Program.Failure(description: "the large push was over too early: give --large more followers")
            }
            try await server.client.waitUntilOutboxIsEmpty()
            let receipt = try await people.large.author.posts.delivery(postId: largePost)
            Progress.say(
                String(
                    format: "run %d: alone %.1f ms, behind %.1f ms, large %d ms", number, quiet.seen, crowded.seen,
                    receipt.timeToLastMs ?? -1))
            guard number > 0 else { continue }
            alone.add(quiet)
            behind.add(crowded)
            pushed.add(post: acknowledged / .milliseconds(1), receipt: Double(receipt.timeToLastMs ?? 0))
        }
        try await server.verify()
        return (alone, behind, pushed)
    }

    private func pulledRuns(_ data: String) async throws -> (small: Arrivals, hub: Arrivals) {
        let server = try await Server(
            graphd: graphd, directory: data, arguments: ["--hub-threshold", "\(threshold)"])
        defer { server.stop() }
        try await server.client.waitUntilOutboxIsEmpty()
        let people = try await people(server)
        for reader in [people.small.last, people.large.last] { _ = try await reader.timelines.home() }
        try await server.client.waitUntilOutboxIsEmpty()
        var (small, hub) = (Arrivals(), Arrivals())
        for number in 0...runs {
            let ordinary = try await people.small.arrival(number)
            let pulled = try await people.large.arrival(number)
            try await server.client.waitUntilOutboxIsEmpty()
            guard number > 0 else { continue }
            small.add(ordinary)
            hub.add(pulled)
        }
        try await server.verify()
        return (small, hub)
    }

    private func writeFollows(_ prefix: String, to author: String, _ range: ClosedRange<Int>, _ path: String) throws {
        var text = "follower,followee\n"
        for number in range { text += "\(prefix)\(number),\(author)\n" }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func people(_ server: Server) async throws -> (small: Followed, large: Followed) {
        let tokens = try await Tokens.make(
            ["small", "s\(small)", "large", "l\(windows)"], graphd: graphd, directory: server.directory)
        let clients = tokens.map(server.client.with(token:))
        return (Followed(author: clients[0], last: clients[1]), Followed(author: clients[2], last: clients[3]))
    }
}

/// An author, and the last reached of the followers with a window.
private struct Followed {
    let author: GraphdClient
    let last: GraphdClient

    /// Publishes, and waits until the page shows the post and the receipt is written. Returns milliseconds.
    func arrival(_ number: Int) async throws -> (post: Double, seen: Double, receipt: Double) {
        let start = ContinuousClock.now
        let post = try await author.publish(SampleGraph.draft(number))
        let acknowledged = start.duration(to: .now)
        while try await last.homePage(limit: 1).items.first?.postId != post {}
        let seen = start.duration(to: .now)
        var receipt = try await author.posts.delivery(postId: post)
        while receipt.pending || receipt.timeToLastMs == nil {
            // Not for synchronisation: the receipt holds the time, and requests for it would disturb the measurement.
            try await Task.sleep(for: .milliseconds(20))
            receipt = try await author.posts.delivery(postId: post)
        }
        return (acknowledged / .milliseconds(1), seen / .milliseconds(1), Double(receipt.timeToLastMs ?? 0))
    }
}

/// Times of one kind of post, in milliseconds.
private struct Arrivals {
    private(set) var post = Spread()
    private(set) var seen = Spread()
    private(set) var receipt = Spread()

    mutating func add(_ times: (post: Double, seen: Double, receipt: Double)) {
        add(post: times.post, receipt: times.receipt)
        seen.add(times.seen)
    }

    mutating func add(post time: Double, receipt last: Double) {
        post.add(time)
        receipt.add(last)
    }
}

extension FigureTable {
    fileprivate mutating func add(_ name: String, _ times: Arrivals, comparedWith base: Arrivals?) {
        func ratio(_ value: Spread, _ base: Spread?) -> Cell {
            guard let base, value.count > 0, base.median > 0 else { return .none }
            return .decimal(value.median / base.median, 2)
        }
        func shown(_ value: Spread, _ share: Double) -> Cell {
            value.count > 0 ? .decimal(value.quantile(share), 2) : .none
        }
        add(
            [
                .text(name), shown(times.post, 0.5), shown(times.seen, 0.5), shown(times.seen, 0.99),
                shown(times.receipt, 0.5),
                ratio(times.seen, base?.seen), ratio(times.receipt, base?.receipt),
            ])
    }
}
