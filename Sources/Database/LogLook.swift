/// A look at what is committed at one moment: the end of the change log, and some settings.
package struct LogLook: Sendable {
    /// The place of the latest change; 0 in an empty log.
    package private(set) var latest: Int64 = 0
    package private(set) var settings: [String: String] = [:]

    /// The query for ``latest``.
    package static let latestQuery = "SELECT seq FROM change ORDER BY seq DESC LIMIT 1"
    package static var query: SQLQuery { SQLQuery(latestQuery, []) }
}

extension GraphDatabase {
    /// Looks at the log, and at the settings whose names begin with `prefix`; nil: at none.
    package func look(settings prefix: String?) async throws -> LogLook {
        let queries =
            [LogLook.query] + (prefix.map { [SettingStore.Reader.query(prefix: $0)] } ?? [])
        return try await read { reader in
            var look = LogLook()
            try reader.fetch(queries) { index, row in
                look.take(index, row)
                return true
            }
            return look
        }
    }
}

extension LogLook {
    fileprivate mutating func take(_ index: Int, _ row: any SQLRow) {
        if index == 0 { latest = row.integer(0) } else { settings[row.text(0)] = row.text(1) }
    }
}
