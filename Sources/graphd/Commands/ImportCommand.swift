import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Write follows or posts from files into the graph.",
        discussion: """
            The data directory is made if it does not exist. A running server may go on serving it: it notices.

            Example:
              graphd import follows follows.csv
              graphd import posts posts.csv
            """,
        subcommands: [ImportFollowsCommand.self, ImportPostsCommand.self])
}
