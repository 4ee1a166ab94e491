import ArgumentParser
import Audit
import CommandSupport
import Database
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
        let lock = try directory.existing().lockForServing()
        defer { withExtendedLifetime(lock) {} }
        let graph = try directory.openExisting()
        var (removed, all) = (0, 0)
        repeat {
            removed = try await clearSome(in: graph, isFirst: all == 0)
            all += removed
        } while removed == Self.stepSize
        if all > 0 {
            try await graph.audit.append([
                AuditNote(.embeddingsCleared, by: .machineUser, detail: "embeddings: \(all)")
            ])
        }
        print(OutputRendering.render(CommandOutput([.init("removed", "embeddings removed", .count(all))]), json: json))
    }

    private func clearSome(in graph: GraphStore, isFirst: Bool) async throws -> Int {
        try await graph.database.write { transaction in
            let removed = try EmbeddingStore.Writer(transaction).clearSomeEmbeddings(limit: Self.stepSize)
            if isFirst, removed > 0 {
                try AuditStore.Writer(transaction).append(AuditNote(.embeddingsClearStarted, by: .machineUser))
            }
            return removed
        }
    }
}
