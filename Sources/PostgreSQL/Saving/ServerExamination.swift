import Database

/// The state of a server and of the database of a graph on it, found without changing anything.
package struct ServerExamination: Sendable {
    /// As the server gives it, such as "15.14".
    package let version: String
    /// Bytes of the database.
    package let bytes: Int64
    /// The names of the changes of the tables that the database has, in the order in which they were applied; empty for
    /// a database that graphd has not written.
    package let schemaChanges: [String]
    /// The synchronous standbys that are connected.
    package let standbys: [String]
    /// True if a copy or a restoration has not been completed, so that no server opens the database.
    package let isUnfinished: Bool
    /// The last time that the database has seen; nil if it has seen none.
    package let clockMark: SteadyClock.Mark?

    /// Asks the server. Blocks.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970; a newer id does not count as a time that the database has seen.
    ///   - timeouts: those of the connections.
    /// - Throws: ``DatabaseError``, whose detail says in one sentence what the server lacks.
    package init(
        of address: PostgreSQLAddress, requiresStandby: Bool = false, now: Int64,
        timeouts: PostgreSQLTimeouts = PostgreSQLTimeouts()
    ) throws {
        let source = ConnectionSource(address: address, timeouts: timeouts, noteRoundTrip: {})
        let connection = try translating {
            let connection = try source.connectionToExamine(for: .reader)
            try ServerRequirements(requiresStandby: requiresStandby).check(connection)
            return connection
        }
        version = connection.setting("server_version") ?? "unknown"
        let found = try ServerReader(source).read { try Contents($0, before: now) }
        (bytes, standbys, schemaChanges) = (found.bytes, found.standbys, found.schemaChanges)
        (isUnfinished, clockMark) = (found.isUnfinished, found.clockMark)
    }

    /// The contents of the database.
    private struct Contents {
        let bytes: Int64
        let standbys: [String]
        let schemaChanges: [String]
        let isUnfinished: Bool
        let clockMark: SteadyClock.Mark?

        init(_ reader: any SQLReader, before now: Int64) throws {
            bytes = try reader.first("SELECT pg_database_size(current_database())", []) { $0.integer(0) } ?? 0
            standbys = try reader.rows(
                "SELECT application_name FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') ORDER BY 1", []
            ) { $0.text(0) }
            schemaChanges = try SchemaChanges(reader).names
            let isBeingRestored = try reader.exists(
                "SELECT 1 WHERE to_regclass('\(SchemaInstaller.restorationMark)') IS NOT NULL", [])
            guard !schemaChanges.isEmpty else {
                (isUnfinished, clockMark) = (isBeingRestored, nil)
                return
            }
            let copy = try SettingStore.Reader(reader).setting(SettingStore.unfinishedCopy)
            isUnfinished = isBeingRestored || copy != nil
            clockMark = try ClockStore.Reader(reader).clockMark(before: now)
        }
    }
}
