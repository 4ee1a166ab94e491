import GRDB

extension SQLiteDatabase {
    package func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let request = WriteRequest<SQLiteTransaction>(body, continuation) { [self] in translate($0) }
            // The caller resumes when everything is as it was.
            if outgrows {
                pool.asyncBarrierWriteWithoutTransaction { [self] access in
                    switch access {
                    case .success(let database):
                        // Nobody reads now, and a database leaves its log only if nobody else has it open.
                        pool.invalidateReadOnlyConnections()
                        for answer in commitUnchecked(request, outgrows: true, on: database) { answer() }
                    case .failure(let error): request.refuse(failure(error))
                    }
                }
            } else {
                pool.asyncWriteWithoutTransaction { [self] database in
                    for answer in commitUnchecked(request, outgrows: false, on: database) { answer() }
                }
            }
        }
    }

    private func commitUnchecked(
        _ request: WriteRequest<SQLiteTransaction>, outgrows: Bool, on database: Database
    ) -> [() -> Void] {
        do {
            // The pragma has no effect within a transaction.
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
            if outgrows { database.leaveWriteAheadLog() }
            defer { if outgrows { try? database.execute(sql: "PRAGMA journal_mode = WAL") } }
            return commit([request], on: database)
        } catch {
            let failure = failure(error, on: database)
            return [{ request.refuse(failure) }]
        }
    }
}

extension Database {
    /// Writes new pages once, into the database, instead of twice with the write-ahead log first: a rollback journal
    /// holds only former pages. It is as durable (`TRUNCATE` with `synchronous = FULL` syncs the journal, the database,
    /// and the end of the journal), and the next opening undoes the transaction after a crash. No effect if another
    /// process has the database open.
    fileprivate func leaveWriteAheadLog() {
        try? execute(sql: "PRAGMA journal_mode = TRUNCATE")
    }
}
