import ArgumentParser

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the settings of a server.",
        discussion: """
            Example:
              graphd config check --config /etc/graphd/graphd.json
            """,
        subcommands: [ConfigCheckCommand.self])
}
