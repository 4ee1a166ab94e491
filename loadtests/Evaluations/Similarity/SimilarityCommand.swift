import ArgumentParser
import Database
import Discovery
import Foundation
import GraphAssembly
import SocialGraph

/// Prints the figures on the search for similar posts in `docs/decisions/0021-similar.md`.
struct SimilarityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similarity",
        abstract: "Measure the search for similar posts against a comparison with every vector.")

    @Option(help: "Embedded posts.")
    var vectors = 100_000

    @Option(help: "Components of each embedding.")
    var dimension = 384

    @Option(help: "Clusters from which the embeddings are drawn.")
    var clusters = 500

    @Option(help: "Searches.")
    var queries = 1_000

    @Option(help: "Nearest posts per search.")
    var nearest = 10

    @Option(help: "Seed of the random draws.")
    var seed: UInt64 = 1

    func validate() throws {
        guard DiscoveryLimits.embeddingDimensions.contains(dimension) else {
            throw ValidationError("--dimension must be from 1 to \(DiscoveryLimits.embeddingDimensions.upperBound)")
        }
        guard min(vectors, clusters, queries, nearest) > 0 else {
            throw ValidationError("--vectors, --clusters, --queries and --nearest must be at least 1")
        }
    }

    func run() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("similar-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let graph = GraphStore(database: try SQLiteDatabase(path: path + "/graph.db", purpose: .bulkWrites))
        let recall = SimilarRecall(vectors: vectors, dimension: dimension, clusters: clusters, seed: seed)
        let outcome = try await recall.run(on: graph, queries: queries, count: nearest)
        let ratio = Self.quantile(0.5, outcome.comparisons) / Self.quantile(0.5, outcome.searches)
        print("\(vectors) vectors of \(dimension) dimensions, \(queries) searches")
        print("recall@\(nearest)     \(outcome.recall)")
        print("index          \(Self.times(outcome.searches)), read in \(Self.milliseconds(outcome.loading))")
        print("every vector   \(Self.times(outcome.comparisons))")
        print("ratio of p50   \((ratio * 10).rounded() / 10)")
    }

    private static func times(_ sorted: [Duration]) -> String {
        "p50 \(milliseconds(quantile(0.5, sorted))), p99 \(milliseconds(quantile(0.99, sorted)))"
    }

    private static func quantile(_ share: Double, _ sorted: [Duration]) -> Duration {
        sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\((duration / .milliseconds(1) * 100).rounded() / 100) ms"
    }
}
