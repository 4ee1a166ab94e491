import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import follows or posts from files.",
        discussion: """
            The data directory is created if missing. A server may use it meanwhile.

            Example:
              graphd import follows follows.csv
              graphd import posts posts.csv
            """,
        subcommands: [ImportFollowsCommand.self, ImportPostsCommand.self])
}
