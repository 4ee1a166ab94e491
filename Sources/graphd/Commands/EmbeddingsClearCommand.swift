import ArgumentParser
import CommandSupport
import Discovery
import SocialGraph

struct EmbeddingsClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove all embeddings and their dimension.",
        discussion: """
            Use it before a change of the embedding model. Posts are kept, and apps send new embeddings after \
            'graphd serve --embedding-dimension' has set the new dimension. No server may use the data directory \
            meanwhile.

            Exit status: 0 success, 1 failure, 64 wrong usage.
            """)

    /// Number of embeddings in one transaction.
    private static let stepSize = 2_000

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() async throws {
        let lock = try DataDirectory.open(at: directory.path).lockForServing()
        defer { withExtendedLifetime(lock) {} }
        let graph = try directory.openExisting()
        var (removed, all) = (0, 0)
        repeat {
            removed = try await graph.embeddings.clearSomeEmbeddings(limit: Self.stepSize)
            all += removed
        } while removed == Self.stepSize
        print(OutputRendering.render(CommandOutput([.init("removed", "embeddings removed", .count(all))]), json: json))
    }
}
