import Database

/// Checks the server and brings the tables up to date, in one transaction under an advisory lock, so that several nodes
/// may start at once.
struct SchemaInstaller {
    /// The advisory lock: the bytes of "graphd" as a number.
    static let lock: Int64 = 0x6772_6170_6864
    /// The table that marks the database of an unfinished restoration.
    static let restorationMark = "unfinished_restoration"
    /// Query for the names of the tables that there are.
    static let tables = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
    /// Milliseconds after which the row of a node that has not committed anything is removed.
    private static let nodeAge = 30 * Milliseconds.day

    private let schema: DatabaseSchema
    private let requirements: ServerRequirements
    private let isBeingRestored: Bool

    init(_ schema: DatabaseSchema, _ options: PostgreSQLOptions) {
        self.schema = schema
        requirements = ServerRequirements(requiresStandby: options.requiresStandby)
        isBeingRestored = options.isBeingRestored
    }

    /// - Parameters:
    ///   - source: connects to the server. One that is starting is waited for.
    ///   - now: milliseconds since 1970.
    func install(_ source: ConnectionSource, at now: Int64) throws {
        let retry = Retry(until: .now + source.timeouts.patience, isClosed: { false })
        try retry.run {
            let connection = try source.anyConnection(for: .writer)
            try requirements.check(connection)
            try migrate(connection, at: now)
        }
    }

    private func migrate(_ connection: PostgreSQLConnection, at now: Int64) throws {
        // Before the transaction, which the server ends if it is idle for too long.
        let scripts = translatedScripts()
        do {
            let results = try connection.exchange([
                ServerCommand("BEGIN"),
                ServerCommand("SELECT pg_advisory_xact_lock(?1)", [.integer(Self.lock)]),
                ServerCommand(Self.tables),
            ])
            let applied = try appliedChanges(connection, tables: Set(results[2].texts))
            _ = try connection.exchange(
                try statements(of: scripts, after: applied) + [
                    ServerCommand("DELETE FROM node WHERE seen_at < ?1", [.integer(now - Self.nodeAge)]),
                    ServerCommand("COMMIT"),
                ])
        } catch ServerFailure.statement(.insufficientPrivilege, let message, _) {
            throw ServerRequirements.missingRight(message)
        }
    }

    private func appliedChanges(_ connection: PostgreSQLConnection, tables: Set<String>) throws -> [String] {
        guard isBeingRestored || !tables.contains(Self.restorationMark) else {
            throw ServerRequirements.refusal(
                "the database is an unfinished restoration; run the same 'graphd restore' again, which begins anew, or "
                    + "drop the database")
        }
        if tables.contains("schema_change") {
            return try connection.exchange([ServerCommand("SELECT name FROM schema_change ORDER BY ordinal")])[0].texts
        }
        guard tables.isEmpty else {
            throw ServerRequirements.refusal(
                "the database has tables, but graphd has not made them (\"\(tables.min() ?? "")\"); create an empty "
                    + "database for graphd")
        }
        return []
    }

    /// The statements of the tables and of each change. All are translated, even if they were applied, for the names of
    /// the full-text tables.
    private func translatedScripts() -> [[String]] {
        var translation = SchemaTranslation()
        return ([schema.tables] + schema.changes.map(\.statements)).map { translation.statements($0) }
    }

    /// The statements of the changes that the database does not have.
    private func statements(of scripts: [[String]], after applied: [String]) throws -> [ServerCommand] {
        let names = schema.changeNames
        guard names.starts(with: applied) else {
            let unknown = zip(applied, names).first { $0 != $1 }?.0 ?? applied.dropFirst(names.count).first ?? ""
            throw ServerRequirements.refusal(
                "the database was written by a newer or unknown graphd (\"\(unknown)\"); use that version or a new "
                    + "database")
        }
        var commands = applied.isEmpty ? Tables.postgreSQL.map { ServerCommand($0) } : []
        for (ordinal, (name, script)) in zip(names, scripts).enumerated().dropFirst(applied.count) {
            commands += script.map { ServerCommand($0) }
            commands.append(
                ServerCommand(
                    "INSERT INTO schema_change (ordinal, name) VALUES (?1, ?2)",
                    [.integer(Int64(ordinal)), .text(name)]))
        }
        return commands
    }
}
