import ArgumentParser

struct EmbeddingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embeddings",
        abstract: "Manage the embeddings of posts.",
        discussion: """
            Example:
              graphd embeddings clear --data-dir data
            """,
        subcommands: [EmbeddingsClearCommand.self])
}
