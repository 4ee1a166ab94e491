import ArgumentParser
import Foundation
import GraphdClient
import Histogram

/// Time from sending a post until the last follower's home timeline shows it, on an idle machine.
struct LastFollowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "last-follower",
        abstract: "Time from a post to the last of its followers' timelines, one post at a time.",
        discussion: """
            The last follower is the one whom the fan-out reaches last; the home is asked for over HTTP again and \
            again, so a time contains at least two requests.

            Example:
              loadtests last-follower --graphd .build/release/graphd
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Followers.") var followers = 1_000
    @Option(help: "Posts.") var posts = 500

    func run() async throws {
        let directory = try Scratch.directory("last")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try SampleGraph.writeFollows(authors: 1, followers: followers, to: directory + "/follows.csv")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let server = try await Server(graphd: graphd, directory: data)
        defer { server.stop() }
        try server.command(["timelines", "rebuild", "--all"])
        try await server.client.waitUntilOutboxIsEmpty()
        let author = server.client.with(token: try server.token("a1"))
        let last = server.client.with(token: try server.token("f\(followers)"))

        var microseconds = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for number in 0..<posts {
            let draft = NewPost(caption: "Post \(number)", mediaUrl: "https://media.example/\(number).mp4")
            let start = ContinuousClock.now
            let post = try await author.publish(draft)
            while try await last.homePage(limit: 1).items.first?.postId != post {}
            microseconds.record(UInt64(start.duration(to: .now) / .microseconds(1)))
            try await server.client.waitUntilOutboxIsEmpty()
        }
        func value(_ percentile: Double) -> Double { Double(microseconds.valueAtPercentile(percentile)) / 1_000 }
        print(
            String(
                format:
                    "post to last of %d followers: p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, max %.2f ms over %d posts",
                followers, value(50), value(90), value(99), value(100), posts))
    }
}
