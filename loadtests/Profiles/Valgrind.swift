import Foundation

/// Counts the instructions of a server with callgrind, where perf is not allowed to look. A server under it is some
/// fifty times slower, so the scenario is run at a few requests a second; what is counted includes the start.
struct Valgrind {
    let profiler: Profiler

    private static let (requestsPerSecond, seconds, posts) = (10.0, 20.0, 1_000)
    /// Callers that are told apart.
    private static let depth = 24

    func report(_ scenario: Scenario, graphd: String, graphs: RealGraphs) async throws -> ScenarioReport {
        let directory = try Scratch.directory("callgrind")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (wrapper, counts) = (directory + "/graphd", directory + "/callgrind.out")
        // Valgrind gives up on debug information that is newer than it is; symbols are enough.
        let bare = directory + "/graphd-bare"
        try Program.run(Program.find("strip"), ["--strip-debug", "-o", bare, graphd])
        let script = """
            #!/bin/sh
            if [ "$1" != serve ]; then exec '\(graphd)' "$@"; fi
            exec valgrind -q --tool=callgrind --separate-callers=\(Self.depth) --callgrind-out-file='\(counts)' \
            '\(bare)' "$@"

            """
        try script.write(toFile: wrapper, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper)
        var slow = scenario
        slow.arrivals = .init(perSecond: Self.requestsPerSecond)
        (slow.seconds, slow.runs, slow.posts) = (Self.seconds, 1, min(scenario.posts, Self.posts))
        let found = try await ScenarioRun(scenario: slow, graphd: wrapper, graphs: graphs).report()
        let text = try String(contentsOfFile: counts, encoding: .utf8)
        try profiler.draw(FoldedStacks(callgrind: text), title: "graphd: \(scenario.name), instructions")
        return found
    }
}
