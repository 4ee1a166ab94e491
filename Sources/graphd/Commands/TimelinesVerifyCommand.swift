import ArgumentParser
import CommandSupport
import Timeline

struct TimelinesVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare home windows in Redis with SQLite.",
        discussion: """
            A server may run meanwhile. Posts that the outbox has yet to deliver count as pending, not as drift. A \
            timeline without a window is read from SQLite and cannot drift. With --repair, windows that differ are \
            evicted through the outbox, and verified again afterwards.

            Example:
              graphd timelines verify --all --json
              graphd timelines verify --sample 500 --repair

            Exit status: 0 nothing missing, extra or out of order; 1 drift (also if it was repaired) or failure; 64 \
            wrong usage.
            """)

    static let defaultSample = 1_000

    @OptionGroup var directory: DataDirectoryOptions
    @OptionGroup var redis: RedisOptions

    @Flag(help: "Verify every timeline.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Number of timelines to verify, chosen at random. (default: \(Self.defaultSample))", valueName: "n"))
    var sample: Int?

    @Flag(help: "Evict windows that differ, so that they are rebuilt.")
    var repair = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func validate() throws {
        if all, sample != nil { throw ValidationError("Give --all or --sample, not both.") }
        if let sample, sample < 1 { throw ValidationError("--sample must be a whole number from 1.") }
    }

    func run() async throws {
        let graph = try directory.openExisting()
        let servers = try await redis.configurations(directory, graph)
        let sampled = all ? nil : sample ?? Self.defaultSample
        let verification = TimelineVerification(graph: graph)
        let (wantsRepair, rendersJSON) = (repair, json)
        let isClean = try await StoredTimelines.open(graph: graph, redis: servers) { stored in
            let viewers = try await verification.viewers(sample: sampled)
            let first = try await verification.verify(viewers, stored)
            var second: TimelineVerifier.Report?
            if wantsRepair, !first.isClean, let stored {
                second = try await verification.repair(first, viewers, stored)
            }
            print(OutputRendering.render(Self.output(first, afterRepair: second), json: rendersJSON))
            return first.isClean
        }
        if !isClean { throw ExitCode(1) }
    }

    static func output(_ first: TimelineVerifier.Report, afterRepair second: TimelineVerifier.Report?) -> CommandOutput
    {
        CommandOutput(
            fields(first),
            sequel: second.map { .init(key: "afterRepair", fields: fields($0), headings: ("found", "after repair")) })
    }

    private static func fields(_ report: TimelineVerifier.Report) -> [CommandOutput.Field] {
        [
            .init("timelines", "timelines", .count(report.timelines)),
            .init("windows", "windows", .count(report.windows)),
            .init("entries", "entries", .count(report.entries)),
            .init("missing", "missing", .count(report.missing)),
            .init("extra", "extra", .count(report.extra)),
            .init("misordered", "misordered", .count(report.misordered)),
            .init("pending", "jobs pending", .count(report.pending)),
        ]
    }
}
