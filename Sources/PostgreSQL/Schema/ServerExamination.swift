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
    /// - Parameter now: milliseconds since 1970; a newer id does not count as a time that the database has seen.
    /// - Throws: ``DatabaseError``, whose detail says in one sentence what the server lacks.
    package init(of address: PostgreSQLAddress, requiresStandby: Bool = false, now: Int64) throws {
        let source = ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {})
        do {
            let connection = try source.anyConnection(for: .reader)
            try ServerRequirements(requiresStandby: requiresStandby).check(connection)
            let results = try connection.exchange([
                ServerCommand("SELECT pg_database_size(current_database())"),
                ServerCommand(
                    "SELECT application_name FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') ORDER BY 1"
                ),
                ServerCommand("SELECT 1 WHERE to_regclass('schema_change') IS NOT NULL"),
                ServerCommand("SELECT 1 WHERE to_regclass('\(SchemaInstaller.restorationMark)') IS NOT NULL"),
            ])
            version = connection.setting("server_version") ?? "unknown"
            bytes = results[0].integer ?? 0
            standbys = results[1].texts
            let isBeingRestored = results[3].integer != nil
            guard results[2].integer != nil else {
                (schemaChanges, isUnfinished, clockMark) = ([], isBeingRestored, nil)
                return
            }
            let contents = try connection.exchange([
                ServerCommand("SELECT name FROM schema_change ORDER BY ordinal"),
                ServerCommand("SELECT 1 FROM setting WHERE name = ?1", [.text(SettingStore.unfinishedCopy)]),
            ])
            schemaChanges = contents[0].texts
            isUnfinished = isBeingRestored || contents[1].integer != nil
            let reader = SnapshotReader(ReaderSession(source, isClosed: { false }), isCancelled: { false })
            defer { reader.end() }
            clockMark = try ClockStore.Reader(reader).clockMark(before: now)
        } catch let failure as ServerFailure {
            throw failure.databaseError()
        }
    }
}
