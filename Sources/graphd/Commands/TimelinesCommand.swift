import ArgumentParser

struct TimelinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timelines",
        abstract: "Inspect and repair the home windows in Redis.",
        discussion: """
            All subcommands may run while a server uses the data directory.

            Example:
              graphd timelines verify --all
              graphd timelines stats
            """,
        subcommands: [TimelinesVerifyCommand.self, TimelinesRebuildCommand.self, TimelinesStatsCommand.self])
}
