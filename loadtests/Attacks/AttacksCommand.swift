import ArgumentParser
import Foundation
import NIOCore

/// Honest users beside hostile ones.
struct AttacksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attacks",
        abstract: "Latency of honest home pages, posts and log-ins before and during each of several attacks.",
        discussion: """
            Honest requests arrive at random times, 112 a second, whether the server keeps up or not. Each attack \
            comes from an address of its own (127.0.0.2) and meets a server with its default limits, on a fresh copy \
            of the same network, whose process may have 1,024 open files. A ratio is p99 during the attack to p99 \
            before it on the same server; a request that fails or has no answer counts as slower than any. "-" means \
            that more than 1 percent of the requests failed. Wanted: at most 5, and health within 1,000 ms.

            Example:
              loadtests attacks --graphd .build/release/graphd --before ./graphd-of-yesterday
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Path of another build to compare with.") var before: String?
    @Option(help: "Seconds of honest load before, and during, each attack.") var seconds = 15.0
    @Option(help: "Posts of the network.") var posts = 100_000
    @Option(help: "Authors of the network.") var authors = 8
    @Option(help: "Followers of each author.") var followers = 2_000
    @Option(help: "An attack to run; may be repeated. (default: all)") var only: [String] = []
    @Flag(help: "Print the result as one JSON object.") var json = false

    static let source = "127.0.0.2"
    private static let files = 1_024
    private static let connections = 16
    /// Seconds until the first readers have the windows that the import evicted.
    private static let warmUp = 10.0
    /// Seconds for an attack to take hold before honest requests are counted.
    private static let lead = 2.0

    func validate() throws {
        let names = Attack.all.map(\.name)
        if let unknown = only.first(where: { !names.contains($0) }) {
            throw ValidationError("There is no attack '\(unknown)'. There are: \(names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let directory = try Scratch.directory("attacks")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var table = FigureTable(
            "attacks", sizes: ["authors": authors, "followers": followers, "posts": posts, "seconds": Int(seconds)],
            columns: [
                "attack", "build", "homeP99_ms", "homeRatio", "postP99_ms", "postRatio", "logInP99_ms", "logInRatio",
                "healthMax_ms", "failed",
            ])
        var builds = [(name: "this", path: graphd)]
        if let before { builds.append((name: "before", path: before)) }
        for build in builds {
            let network = "\(directory)/network-\(build.name)"
            Progress.say("preparing the network of \(build.name)")
            try AttackSite.prepare(
                graphd: build.path, at: network, authors: authors, followers: followers, posts: posts)
        }
        for attack in Attack.all where only.isEmpty || only.contains(attack.name) {
            for build in builds {
                // A separate directory: a build that leaves its redis-server behind keeps writing to the previous one.
                let data = "\(directory)/\(attack.name)-\(build.name)"
                defer { try? FileManager.default.removeItem(atPath: data) }
                try FileManager.default.copyItem(atPath: "\(directory)/network-\(build.name)", toPath: data)
                let limited = try limitedFiles(build.path, directory)
                let outcome = try await measure(attack, graphd: limited, data: data)
                table.add(attack.name, build.name, outcome)
                Progress.say("\(attack.name) (\(attack.summary)), \(build.name): \(outcome.line)")
            }
        }
        print(try table.rendered(json: json))
    }

    /// Returns a script that starts `graphd` with a soft limit of 1,024 open files, the usual one.
    private func limitedFiles(_ graphd: String, _ directory: String) throws -> String {
        let script = directory + "/graphd"
        let path = URL(fileURLWithPath: graphd).path
        try "#!/bin/sh\nulimit -Sn \(Self.files)\nexec '\(path)' \"$@\"\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        return script
    }

    private func measure(_ attack: Attack, graphd: String, data: String) async throws -> AttackOutcome {
        let site = try await AttackSite(graphd: graphd, data: data, authors: authors)
        defer { site.end() }
        let load = try await attack.arrange(site)
        try await site.server.client.waitUntilOutboxIsEmpty()
        let quiet = try await honest(site, warmUp: Self.warmUp)
        let during = try await beside(load, attack.connections, site.server.port) {
            try await honest(site, warmUp: Self.lead)
        }
        return AttackOutcome(quiet: quiet, during: during)
    }

    private func honest(_ site: AttackSite, warmUp: Double) async throws -> LoadResult {
        try await LoadGenerator.run(
            .init(
                port: site.server.port, connections: Self.connections, pace: .open(perSecond: HonestLoad.perSecond),
                warmUp: warmUp, seconds: seconds, drain: .seconds(15)),
            site.honest)
    }

    private func beside(
        _ load: Attack.Load, _ connections: Int, _ port: Int, _ body: @Sendable () async throws -> LoadResult
    ) async throws -> LoadResult {
        switch load {
        case .held(let opening):
            let held = HeldConnections(port: port, source: Self.source, opening: opening)
            held.start(connections)
            let result = try await body()
            try await held.stop()
            return result
        case .requests(let requests):
            let plan = LoadGenerator.Plan(
                port: port, source: Self.source, connections: connections, pace: .closed, warmUp: 0,
                seconds: seconds + Self.lead, drain: .zero)
            async let hostile = LoadGenerator.run(plan, RepeatedRequests(requests))
            let result = try await body()
            _ = try? await hostile
            return result
        }
    }
}
