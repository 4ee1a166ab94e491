import ArgumentParser

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that sign tokens.",
        discussion: """
            Both subcommands may run while a server uses the data directory.

            Example:
              graphd key list
              graphd key rotate
            """,
        subcommands: [KeyListCommand.self, KeyRotateCommand.self])
}
