import Database
import Foundation

/// Checks the server and brings the tables up to date, in one transaction under an advisory lock, so that several nodes
/// may start at once. Tables that a server uses are not changed under it: whoever changes them must be free to take the
/// leases of serving, and ends them for their former owners. Additive changes are made beside servers.
struct SchemaInstaller {
    /// The advisory lock: the bytes of "graphd" as a number.
    static let lock: Int64 = 0x6772_6170_6864
    /// The table that marks the database of an unfinished restoration.
    static let restorationMark = "unfinished_restoration"
    /// Query for the names of the tables that there are.
    static let tables = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
    /// Limit for waiting for a table that servers use. Their next statements wait behind it.
    private static let politeLockTimeout = Duration.seconds(1)
    /// Milliseconds after which the row of a node that has not committed anything is removed.
    private static let nodeAge = 30 * Milliseconds.day

    private let schema: DatabaseSchema
    private let requirements: ServerRequirements
    private let isBeingRestored: Bool
    private let lease: ServingLease?

    init(_ schema: DatabaseSchema, _ options: PostgreSQLOptions) {
        self.schema = schema
        requirements = ServerRequirements(requiresStandby: options.requiresStandby)
        isBeingRestored = options.isBeingRestored
        lease = options.lease
    }

    /// - Parameters:
    ///   - source: connects to the server. One that is starting is waited for.
    ///   - times: the clock of this process.
    func install(_ source: ConnectionSource, _ times: GraphClock) throws {
        let retry = Retry(until: .now + source.timeouts.patience, isClosed: { false })
        let patient = source.withoutLimits
        var overdue: Set<Int> = []
        // Tells more than the failure of the examination that may be the last one.
        var unanswered: ServerFailure?
        do {
            try retry.run {
                let connection = try patient.connectionToExamine(for: .writer)
                try requirements.check(connection)
                let commits = try examine(connection, patient, &overdue)
                do {
                    try migrate(connection, times, lockTimeout: source.timeouts.statement, commits)
                } catch let failure as ServerFailure where !commits {
                    unanswered = failure
                    throw failure
                }
            }
        } catch let failure as ServerFailure where failure.isPassing {
            throw unanswered ?? failure
        }
    }

    /// Makes sure that the server commits, if the address names others: it may be a former primary. If none commits,
    /// the first one is taken all the same, since it can be read.
    ///
    /// - Parameter overdue: the hosts whose last examination was overdue.
    /// - Returns: false if the server does not commit, as far as is known.
    private func examine(
        _ connection: PostgreSQLConnection, _ source: ConnectionSource, _ overdue: inout Set<Int>
    ) throws -> Bool {
        guard source.address.alternatives.count > 1, try !connection.exchange([Self.groups])[0].texts.isEmpty else {
            return true
        }
        if overdue.remove(connection.host) != nil { return false }
        do {
            try source.examine(connection, until: .now + source.timeouts.patience / 4)
            source.confirm(connection)
            return true
        } catch let failure as ServerFailure where !failure.isPassing {
            // The migration tells what is wrong.
            try connection.post([ServerCommand("ROLLBACK")])
            return true
        } catch {
            if connection.isOverdue { overdue.insert(connection.host) }
            throw error
        }
    }

    private static let groups = ServerCommand(
        """
        SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relname = 'node' AND relkind = 'r' AND nspname = current_schema()
        """)

    private func migrate(
        _ connection: PostgreSQLConnection, _ times: GraphClock, lockTimeout: Duration, _ commits: Bool
    ) throws {
        // Before the transaction, which the server ends if it is idle for too long.
        let scripts = translatedScripts()
        var watch = ServingWatch()
        let deadline = ContinuousClock.now + lockTimeout
        do {
            while try !attempt(scripts, connection, times, &watch, until: deadline, lockTimeout, commits) {
                Thread.sleep(forTimeInterval: ServingWatch.pause)
            }
        } catch ServerFailure.statement(.insufficientPrivilege, let message, _) {
            throw ServerRequirements.missingRight(message)
        } catch ServerFailure.statement(.lockNotAvailable, _, let sql) {
            throw ServerRequirements.lockedTables(sql)
        }
    }

    /// Returns false if nothing was changed, because a lease or a table must be waited for.
    private func attempt(
        _ scripts: [[String]], _ connection: PostgreSQLConnection, _ times: GraphClock, _ watch: inout ServingWatch,
        until deadline: ContinuousClock.Instant, _ lockTimeout: Duration, _ commits: Bool
    ) throws -> Bool {
        let results = try connection.exchange([
            ServerCommand("BEGIN"),
            // Without a limit: another node may be changing the tables.
            ServerCommand("SELECT pg_advisory_xact_lock(?1)", [.integer(Self.lock)]),
            ServerCommand(Self.tables),
        ])
        let applied = try appliedChanges(connection, tables: Set(results[2].texts))
        let changes = try statements(of: scripts, after: applied)
        // The commit would wait as well, and keep the tables from those who use them.
        guard commits || changes.isEmpty else {
            throw ServerFailure.connectionLost(detail: ServerRequirements.unansweredCommits)
        }
        // The first name is that of the tables themselves.
        let mustAsk = !applied.isEmpty && !schema.changes.dropFirst(applied.count - 1).allSatisfy(\.isAdditive)
        let limit = mustAsk ? lockTimeout : min(lockTimeout, Self.politeLockTimeout)
        _ = try connection.exchange([ServerCommand("SET LOCAL lock_timeout = \(limit.milliseconds)")])
        guard try !mustAsk || isFree(connection, times, &watch) else {
            _ = try connection.exchange([ServerCommand("ROLLBACK")])
            return false
        }
        let oldest = times.wall() - Self.nodeAge
        // A server whose commits wait for a standby answers one that has changed nothing.
        let removal = ServerCommand("DELETE FROM node WHERE seen_at < ?1", [.integer(oldest)])
        do {
            _ = try connection.exchange(changes + (commits ? [removal] : []) + [ServerCommand("COMMIT")])
            return true
        } catch ServerFailure.statement(.lockNotAvailable, _, _) where !mustAsk && .now < deadline {
            _ = try connection.exchange([ServerCommand("ROLLBACK")])
            return false
        }
    }

    /// Returns whether the tables may be changed. Their server can then neither renew its lease nor commit, until the
    /// transaction ends, and has lost its lease afterwards.
    private func isFree(
        _ connection: PostgreSQLConnection, _ times: GraphClock, _ watch: inout ServingWatch
    ) throws -> Bool {
        guard let lease else { return true }
        let results = try connection.exchange([
            ServerCommand(IDSequence.lastQuery + " FOR UPDATE"), lease.query, lease.end,
        ])
        return try watch.areFree(results[1], of: lease, now: times.now())
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
