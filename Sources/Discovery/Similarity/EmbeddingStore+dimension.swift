import Database
import SocialGraph

/// The number of components of the embeddings of this data directory.
extension EmbeddingStore {
    /// Returns the dimension; nil until an operator has set it. A data directory of an earlier version keeps its
    /// dimension.
    package func embeddingDimension() async throws -> Int? {
        try await database.read { try Reader($0).embeddingDimension() }
    }

    /// Sets the dimension. Throws ``GraphError/dimensionMismatch(expected:given:)`` if embeddings of another dimension
    /// are stored.
    package func setEmbeddingDimension(_ dimension: Int) async throws {
        try await database.write { transaction in
            if let stored = try Reader(transaction).embeddingDimension(), stored != dimension,
                try transaction.exists(Self.anyEmbeddingProbe, [])
            {
                throw GraphError.dimensionMismatch(expected: stored, given: dimension)
            }
            try SettingStore.Writer(transaction).store(String(dimension), as: EmbeddingStore.Reader.dimensionSetting)
        }
    }

    static let anyEmbeddingProbe = "SELECT 1 FROM embedding WHERE post_id > 0 LIMIT 1"

    static let clearEmbeddingsStatement = """
        DELETE FROM embedding
        WHERE post_id IN (SELECT post_id FROM embedding WHERE post_id > 0 ORDER BY post_id LIMIT ?1)
        """
}

extension EmbeddingStore.Writer {
    /// Removes up to `limit` embeddings of any post, and the dimension with the last of them. Returns the number
    /// removed. Meant for a change of the model, while no server uses the directory.
    package func clearSomeEmbeddings(limit: Int) throws -> Int {
        let removed = try transaction.executeCounting(
            EmbeddingStore.clearEmbeddingsStatement, [.integer(Int64(limit))])
        if removed < limit {
            try transaction.execute(
                "DELETE FROM setting WHERE name = ?1", [.text(EmbeddingStore.Reader.dimensionSetting)])
        }
        return removed
    }
}

extension EmbeddingStore.Reader {
    package static let dimensionSetting = "embedding_dimension"

    func embeddingDimension() throws -> Int? {
        try SettingStore.Reader(reader).number(Self.dimensionSetting).map { Int($0) }
    }
}
