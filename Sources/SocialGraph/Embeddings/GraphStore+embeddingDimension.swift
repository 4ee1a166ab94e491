/// The number of components of the embeddings of this data directory.
extension GraphStore {
    static let dimensionSetting = "embedding_dimension"

    /// Nil until an operator has set it. A data directory of an earlier version keeps the one that it has.
    package func embeddingDimension() async throws -> Int? {
        try await database.read { try Self.embeddingDimension($0) }
    }

    static func embeddingDimension(_ reader: any SQLReader) throws -> Int? {
        try setting(dimensionSetting, reader).flatMap { Int($0) }
    }

    /// Fixes the dimension. Throws ``GraphError/dimensionMismatch(expected:given:)`` where embeddings of another are
    /// stored.
    package func setEmbeddingDimension(_ dimension: Int) async throws {
        try await database.write { transaction in
            if let stored = try Self.embeddingDimension(transaction), stored != dimension,
                try transaction.exists(Self.anyEmbeddingProbe, [])
            {
                throw GraphError.dimensionMismatch(expected: stored, given: dimension)
            }
            try Self.store(String(dimension), as: Self.dimensionSetting, in: transaction)
        }
    }

    static let anyEmbeddingProbe = "SELECT 1 FROM embedding WHERE post_id > 0 LIMIT 1"

    /// Removes up to `limit` embeddings, whatever post they are of; the dimension is forgotten with the last of them.
    /// Returns how many were removed. For a change of the model, while nobody serves the directory.
    package func clearSomeEmbeddings(limit: Int) async throws -> Int {
        try await database.write { transaction in
            let removed = try transaction.execute(Self.clearEmbeddingsStatement, [.integer(Int64(limit))])
            if removed < limit {
                try transaction.execute("DELETE FROM setting WHERE name = ?1", [.text(Self.dimensionSetting)])
            }
            return removed
        }
    }

    static let clearEmbeddingsStatement = """
        DELETE FROM embedding
        WHERE post_id IN (SELECT post_id FROM embedding WHERE post_id > 0 ORDER BY post_id LIMIT ?1)
        """
}
