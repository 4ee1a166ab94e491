import ArgumentParser

struct TimelinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timelines",
        abstract: "Look at the home timelines that are stored in Redis.",
        discussion: """
            All of them may run while a server uses the data directory.

            Example:
              graphd timelines verify --all
              graphd timelines stats
            """,
        subcommands: [TimelinesVerifyCommand.self, TimelinesRebuildCommand.self, TimelinesStatsCommand.self])
}
