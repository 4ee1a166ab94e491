import ArgumentParser

@main
struct LoadTests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loadtests",
        abstract: "Measures graphd over HTTP, each figure as a ratio to a limit taken in the same run.",
        discussion: """
            Every figure starts servers and data directories of its own and leaves nothing behind.

            Example:
              loadtests deliveries --graphd .build/release/graphd --limit-program ./fanout-limit
            """,
        subcommands: [
            DeliveriesCommand.self, ReadsCommand.self, LastFollowerCommand.self, ImportCommand.self,
            FanoutCommand.self, MergeCommand.self, FiltersCommand.self, MemoryCommand.self, StreamsCommand.self,
            FairnessCommand.self, ConstantCommand.self, SearchCommand.self, ScenarioCommand.self, LimitCommand.self,
            RatiosCommand.self, ProfileCommand.self, AttacksCommand.self, EnginesCommand.self,
            NodesCommand.self, BucketsCommand.self, OutagesCommand.self, SimulateCommand.self,
        ]
    )
}
