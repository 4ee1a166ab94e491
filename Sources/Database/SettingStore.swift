/// Named values that survive a restart.
package struct SettingStore: Sendable {
    let database: any GraphDatabase

    package init(database: any GraphDatabase) { self.database = database }

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension SettingStore {
    /// The setting of a database that a copy has not finished: the state of its source.
    package static let unfinishedCopy = "database_copy"
    /// The setting with the keys that sign tokens, of a database on a server.
    package static let tokenKeys = "token_keys"

    /// The setting that counts the changes of the settings of windows.
    package static let windowsVersion = "windows_version"

    /// A named value that belongs to the data directory, such as the generation of its windows.
    package func setting(_ name: String) async throws -> String? {
        try await database.read { try Reader($0).setting(name) }
    }

    /// The value of a setting that holds a whole number. Throws ``DatabaseError/storageCorrupt(detail:)`` for any other
    /// value.
    package func number(_ name: String) async throws -> Int64? {
        try await database.read { try Reader($0).number(name) }
    }

    /// Stores settings of windows by their names under `lease`, and raises ``windowsVersion``.
    package func store(_ settings: [String: String], under lease: LeaseStamp) async throws {
        try await database.write { transaction in
            try LeaseStore.Writer(transaction).require([lease])
            let (reader, writer) = (Reader(transaction), Writer(transaction))
            for (name, value) in settings { try writer.store(value, as: name) }
            try writer.store(String((try reader.number(Self.windowsVersion) ?? 0) + 1), as: Self.windowsVersion)
        }
    }

    /// The settings whose names begin with `prefix`, and the number ``windowsVersion`` of the same moment.
    package func windowSettings(prefix: String) async throws -> (version: Int64, values: [String: String]) {
        try await database.read { reader in
            var found: (version: Int64, values: [String: String]) = (0, [:])
            try reader.fetch([LogLook.windowsQuery, Reader.query(prefix: prefix)]) { index, row in
                if index == 0 { found.version = LogLook.windows(row) } else { found.values[row.text(0)] = row.text(1) }
                return true
            }
            return found
        }
    }

    /// Reads and writes settings in one transaction.
    package func writeSettings<T: Sendable>(
        _ body: @escaping @Sendable (Reader, Writer) throws -> T
    ) async throws -> T {
        try await database.write { try body(Reader($0), Writer($0)) }
    }

    package func store(_ value: String, as name: String) async throws {
        try await database.write { try Writer($0).store(value, as: name) }
    }
}

extension SettingStore.Reader {
    /// The value of a setting that holds a whole number. Throws ``DatabaseError/storageCorrupt(detail:)`` for any other
    /// value.
    package func number(_ name: String) throws -> Int64? {
        try setting(name).map { text in
            guard let number = Int64(text) else { throw DatabaseError.undecodable(Int64.self, "\(name) = \(text)") }
            return number
        }
    }

    package func setting(_ name: String) throws -> String? {
        let query = Self.query(name)
        return try reader.first(query.sql, query.arguments) { $0.text(0) }
    }

    /// A query for the value of a setting, to fetch it together with others.
    package static func query(_ name: String) -> SQLQuery {
        SQLQuery("SELECT value FROM setting WHERE name = ?1", [.text(name)])
    }

    /// A query for the names and values of the settings whose names begin with `prefix`.
    ///
    /// - Parameter prefix: ASCII characters, the last of which is not the last of all.
    package static func query(prefix: String) -> SQLQuery {
        var end = Array(prefix.utf8)
        end[end.count - 1] += 1
        return SQLQuery(
            "SELECT name, value FROM setting WHERE name >= ?1 AND name < ?2",
            [.text(prefix), .text(String(decoding: end, as: UTF8.self))])
    }
}

extension SettingStore.Writer {
    package func store(_ value: String, as name: String) throws {
        try transaction.execute(
            "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.text(name), .text(value)])
    }

    package func remove(_ name: String) throws {
        try transaction.execute("DELETE FROM setting WHERE name = ?1", [.text(name)])
    }
}
