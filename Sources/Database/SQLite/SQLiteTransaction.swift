import GRDB

/// The transaction of one commit group. Used on the writer queue only, never after the commit.
package final class SQLiteTransaction: GroupTransaction {
    let reader: SQLiteReader
    package var ledger: GroupLedger
    private let clock: GraphClock
    package let hooks: (any DatabaseHooks)?
    /// Documents that ``finish()`` has written.
    private(set) var documentsIndexed = 0

    init(reader: SQLiteReader, clock: GraphClock, hooks: (any DatabaseHooks)?) throws {
        self.reader = reader
        self.clock = clock
        self.hooks = hooks
        let now = clock.now()
        // Read for each group: a command-line process may have allocated in between.
        let last = try reader.first(IDSequence.lastQuery, []) { $0.integer(0) } ?? 0
        ledger = GroupLedger(now: now, lastID: last)
    }

    var database: Database { reader.database }
    package var now: Int64 { ledger.now }
    package var expiryTime: Int64 { clock.expiry() }
    package var wallTime: Int64 { clock.wall() }

    package func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try reader.forEach(sql, arguments, row)
    }

    package func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        try reader.fetch(queries, row)
    }

    package func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        // On some errors SQLite undoes the whole transaction; later statements would commit by themselves.
        guard database.isInsideTransaction else { throw DatabaseError.storage(detail: "the transaction is over") }
        try reader.run(sql, arguments)
    }

    package func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try execute(sql, arguments)
        return database.changesCount
    }

    package func nextID() throws -> Int64 { try ledger.nextID() }

    package func log(kind: Int64, subject: Int64, object: Int64) throws {
        try execute(
            "INSERT INTO change (kind, subject, object) VALUES (?1, ?2, ?3)",
            [.integer(kind), .integer(subject), .integer(object)]
        )
        ledger.noteChange(at: database.lastInsertedRowID)
    }

    package func note(_ body: (inout (any CommitNotes)?) -> Void) { ledger.note(body) }

    package var text: any TextSearch { SQLiteTextSearch(reader: reader) }

    package func index(_ subject: TextSubject) { ledger.index(subject) }

    package func index(new subject: TextSubject, texts: [String]) { ledger.index(new: subject, texts: texts) }

    package func rollBack() throws { try database.execute(sql: "ROLLBACK") }
    package func setSavepoint() throws { try reader.run("SAVEPOINT request") }
    package func rollBackToSavepoint() throws { try reader.run("ROLLBACK TO SAVEPOINT request") }
    package func releaseSavepoint() throws { try reader.run("RELEASE SAVEPOINT request") }

    /// An error on which SQLite undoes the whole transaction counts as one of the engine.
    package func judge(_ outcome: Outcome, of request: WriteRequest<SQLiteTransaction>) throws -> Outcome {
        if let engine = outcome.error as? EngineError, engine.endsGroup { throw engine }
        guard database.isInsideTransaction else {
            let cause = outcome.error.map { "\($0)" } ?? "an error that the request has swallowed"
            throw DatabaseError.storage(detail: "the engine has undone the transaction: \(cause)")
        }
        return outcome
    }

    /// Writes the data that the group shares. Documents are indexed here, all of a group at once: a savepoint, or a
    /// statement that might have to be undone, makes FTS5 write out its pending data (27 µs a post at once, 120 µs by
    /// itself).
    func finish() throws {
        let search = SQLiteTextSearch(reader: reader)
        try search.update(ledger.subjects)
        let new = ledger.newDocuments
        try search.insert(new)
        documentsIndexed = ledger.subjects.count + new.count
        if let places = ledger.places {
            try execute(
                "INSERT INTO change_group (seq, committed_at, touched) VALUES (?1, ?2, ?3)",
                [.integer(places.upperBound), .integer(now), .blob(ledger.notes?.logged ?? [])])
        }
        guard let last = ledger.takenID else { return }
        try execute("UPDATE id_sequence SET last = ?1 WHERE \"only\" = 1", [.integer(last)])
    }
}

extension EngineError {
    /// Errors of the engine or the disk, as opposed to a constraint that one request has violated.
    fileprivate var endsGroup: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_TOOBIG: false
        default: true
        }
    }
}
