extension GraphStore {
    /// A named value that belongs to the data directory, such as the generation of its windows.
    package func setting(_ name: String) async throws -> String? {
        try await database.read { try Self.setting(name, $0) }
    }

    package func store(_ value: String, as name: String) async throws {
        try await database.write { try Self.store(value, as: name, in: $0) }
    }

    static func setting(_ name: String, _ reader: any SQLReader) throws -> String? {
        try reader.first("SELECT value FROM setting WHERE name = ?1", [.text(name)]) { $0.text(0) }
    }

    static func store(_ value: String, as name: String, in transaction: any GraphTransaction) throws {
        try transaction.execute(
            "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.text(name), .text(value)])
    }
}
