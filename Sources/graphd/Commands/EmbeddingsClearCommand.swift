import ArgumentParser
import Audit
import Backup
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
            'graphd serve --embedding-dimension' has set the new dimension. No server may use the graph \
            meanwhile.

            Exit status: 0 success, 1 failure, 64 wrong usage.
            """)

    /// Number of embeddings in one transaction.
    private static let stepSize = 2_000

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() async throws {
        let data = try directory.existing()
        let lock = try data.lockForServing()
        defer { withExtendedLifetime(lock) {} }
        let graph = try data.openGraph()
        let all = try await SoleUse.during("the embeddings are cleared", of: graph.database, on: data.server) {
            try await clear(graph)
        }
        print(OutputRendering.render(CommandOutput([.init("removed", "embeddings removed", .count(all))]), json: json))
    }

    private func clear(_ graph: GraphStore) async throws -> Int {
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
        return all
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
