import ArgumentParser
import CommandSupport
import Database
import SocialGraph
import Timeline

struct TimelinesStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Print the number of windows in Redis and their memory.",
        discussion: """
            Bytes are the MEMORY USAGE of both keys, including overhead, in all shards. With maxListpackEntries below \
            cap + 32, windows become skiplists, which take about five times as much memory.

            Example:
              graphd timelines stats --json

            Exit status: 0 success, even without a server (then there are no windows), 1 failure, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions
    @OptionGroup var redis: RedisOptions

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() async throws {
        let graph = try directory.openExisting()
        let servers = try await redis.configurations(directory, graph)
        let depth = try await Self.depth(graph)
        let output = try await StoredTimelines.open(graph: graph, redis: servers) { stored in
            guard let stored else { return Self.output(nil, depth, listpackEntries: nil) }
            let statistics = try await stored.windows.statistics()
            // A managed Redis may refuse CONFIG.
            let entries = try? await stored.windows.listpackEntries()
            return Self.output(statistics, depth, listpackEntries: entries)
        }
        print(OutputRendering.render(output, json: json))
    }

    /// Returns the depth that the serving process has stored.
    private static func depth(_ graph: GraphStore) async throws -> WindowDepth {
        let cap = try await graph.settings.number("window_cap").map { Int($0) }
        return cap.map { WindowDepth(cap: $0) } ?? WindowDepth()
    }

    static func output(_ statistics: WindowStatistics?, _ depth: WindowDepth, listpackEntries: Int64?) -> CommandOutput
    {
        CommandOutput([
            .init("windows", "windows", .count(statistics?.windows ?? 0)),
            .init("entries", "entries", .count(statistics?.entries ?? 0)),
            .init("bytesPerEntry", "bytes per entry", .decimal(statistics?.bytesPerEntry ?? 0)),
            .init("bytesPerWindow", "bytes per window", .decimal(statistics?.bytesPerWindow ?? 0)),
            .init("cap", "cap", .count(depth.cap)),
            .init("slack", "slack", .count(depth.slack)),
            .init("maxListpackEntries", "max listpack entries", listpackEntries.map { .integer($0) } ?? .null),
        ])
    }
}
