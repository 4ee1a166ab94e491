import ArgumentParser
import CommandSupport
import GraphServices
import ModerationCommands

struct Graphd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graphd",
        abstract: "A social graph and timeline fan-out server.",
        discussion: """
            SQLite or PostgreSQL is the source of truth; Redis sorted sets hold home timelines.

            Example:
              graphd demo                     a sample network on http://127.0.0.1:8080
              graphd serve --data-dir data    your own
            """,
        version: BuildInfo.description,
        subcommands: [
            ServeCommand.self, DemoCommand.self, ConfigCommand.self, DoctorCommand.self, ImportCommand.self,
            BackupCommand.self, RestoreCommand.self, DatabaseCommand.self, MediaCommand.self, ReadOnlyCommand.self,
            TokenCommand.self,
            KeyCommand.self, NodesCommand.self, TimelinesCommand.self, EmbeddingsCommand.self, InputsCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(name: "Moderation", subcommands: ModerationCommands.all)
        ]
    )

    static func main() async {
        CrashReports.silenceUnlessAskedFor()
        await main(nil)
    }
}
