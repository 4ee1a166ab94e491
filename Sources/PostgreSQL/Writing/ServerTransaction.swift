import Database

/// The transaction of one commit group. Used on the writer's thread only, never after the commit.
///
/// Statements without a result wait and travel with the next query, or with the commit. An error of theirs therefore
/// appears late; ``judge(_:of:)`` makes sure that it fails the request that caused it and no other.
package final class ServerTransaction: GroupTransaction {
    /// Waiting statements that are sent even if no query follows, to bound their memory.
    private static let mostDeferred = 1_000

    private let connection: PostgreSQLConnection
    private let mechanisms: WriteMechanisms
    private let clock: GraphClock
    package let hooks: (any DatabaseHooks)?
    package var ledger: GroupLedger
    /// The greatest place in the change log before the group.
    private let lastPlace: Int64
    private var deferred: [ServerCommand] = []
    /// The failure that has aborted the transaction, or everything since the savepoint.
    private var failure: ServerFailure?
    /// The place of the savepoint among ``deferred``; nil: requests have no savepoints.
    private var savepoint: Int?
    private(set) var isOpen = true

    /// Begins the transaction. Takes the lock on the sequencer row, so that ids, and places in the log, are in the
    /// order of commits over all nodes. The greatest place is read after the lock, by a statement of its own, because a
    /// statement sees nothing that was committed after its start.
    init(
        _ connection: PostgreSQLConnection, clock: GraphClock, hooks: (any DatabaseHooks)?,
        mechanisms: WriteMechanisms
    ) throws {
        self.connection = connection
        self.mechanisms = mechanisms
        self.clock = clock
        self.hooks = hooks
        let results = try connection.exchange([
            ServerCommand("BEGIN"),
            ServerCommand(IDSequence.lastQuery + (mechanisms.takesSequencer ? " FOR UPDATE" : "")),
            ServerCommand("SELECT COALESCE(max(seq), 0) FROM change"),
        ])
        lastPlace = results[2].integer ?? 0
        // After the lock has been taken: it may have been waited for.
        ledger = GroupLedger(now: clock.now(), lastID: results[1].integer ?? 0)
    }

    package var now: Int64 { ledger.now }
    package var expiryTime: Int64 { clock.expiry() }
    package var wallTime: Int64 { clock.wall() }
    package var text: any TextSearch { ServerTextSearch(reader: self) }

    // MARK: Statements

    package func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try exchange([ServerCommand(sql, arguments)])[0].forEachRow(row)
    }

    package func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        if queries.isEmpty { return }
        let results = try exchange(queries.map { ServerCommand($0.sql, $0.arguments) })
        for (index, result) in results.enumerated() { try result.forEachRow { try row(index, $0) } }
    }

    package func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        if let failure { throw failure }
        deferred.append(ServerCommand(sql, arguments))
        if deferred.count >= Self.mostDeferred || !mechanisms.defersStatements { _ = try exchange([]) }
    }

    package func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try exchange([ServerCommand(sql, arguments)])[0].changedRows
    }

    /// Sends the waiting statements, then `commands`, and returns the results of these.
    private func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        if let failure { throw failure }
        let waiting = deferred
        deferred = []
        if savepoint != nil { savepoint = 0 }
        do {
            return Array(try connection.exchange(waiting + commands).dropFirst(waiting.count))
        } catch let error as ServerFailure {
            failure = error
            throw error
        }
    }

    // MARK: The group

    package func nextID() throws -> Int64 { try ledger.nextID() }

    package func log(kind: Int64, subject: Int64, object: Int64) throws {
        let place = (ledger.places?.upperBound ?? lastPlace) + 1
        try execute(
            "INSERT INTO change (seq, kind, subject, object) VALUES (?1, ?2, ?3, ?4)",
            [.integer(place), .integer(kind), .integer(subject), .integer(object)])
        ledger.noteChange(at: place)
    }

    package func note(_ body: (inout (any CommitNotes)?) -> Void) { ledger.note(body) }

    package func index(_ subject: TextSubject) { ledger.index(subject) }

    package func index(new subject: TextSubject, texts: [String]) { ledger.index(new: subject, texts: texts) }

    package func rollBack() throws {
        isOpen = false
        deferred = []
        try connection.post([ServerCommand("ROLLBACK")])
    }

    package func setSavepoint() throws {
        deferred.append(ServerCommand("SAVEPOINT request"))
        savepoint = deferred.count
    }

    package func rollBackToSavepoint() throws {
        // Statements that the request has not sent yet are never sent.
        deferred.removeLast(deferred.count - (savepoint ?? 0))
        failure = nil
        deferred.append(ServerCommand("ROLLBACK TO SAVEPOINT request"))
    }

    package func releaseSavepoint() throws { deferred.append(ServerCommand("RELEASE SAVEPOINT request")) }

    /// With savepoints, sends the statements that the request has left, so that an error of theirs is its own. Without
    /// them, the commit finds it, and the group is run again.
    package func judge(_ outcome: Outcome, of request: WriteRequest<ServerTransaction>) throws -> Outcome {
        if let savepoint, deferred.count > savepoint, outcome.error == nil, failure == nil {
            // Kept in `failure`, and looked at below.
            _ = try? exchange([])
        }
        guard let failure else { return outcome }
        guard failure.isOfRequest else { throw failure }
        if outcome.error != nil { return outcome }
        // The request has hidden the error, which has undone its statements all the same.
        return Outcome(error: failure) { request.refuse(failure.databaseError()) }
    }

    /// Writes the data that the group shares, and commits.
    ///
    /// - Parameters:
    ///   - token: the number of the group, which tells later whether it was committed.
    ///   - sending: called before the commit is sent; from then on its outcome may be unknown.
    func commit(_ token: GroupToken, sending: (CommittedGroup) -> Void) throws {
        try writeDocuments()
        if let places = ledger.places {
            try execute(
                "INSERT INTO change_group (seq, committed_at, touched) VALUES (?1, ?2, ?3)",
                [.integer(places.upperBound), .integer(now), .blob(ledger.notes?.logged ?? [])])
        }
        if let last = ledger.takenID {
            try execute("UPDATE id_sequence SET last = ?1 WHERE \"only\" = 1", [.integer(last)])
        }
        deferred.append(token.raising(at: clock.wall()))
        sending(ledger.news)
        let warnings = connection.warnings
        let result = try exchange([ServerCommand("COMMIT")])[0]
        isOpen = false
        // A server that stops waiting for its standby commits all the same, and says so in a warning.
        guard result.command == "COMMIT", connection.warnings == warnings else {
            throw ServerFailure.connectionLost(detail: "the server has not confirmed a commit (\(result.command))")
        }
    }

    private func writeDocuments() throws {
        let index = ServerTextIndex(reader: self) { try self.execute($0, $1) }
        try index.update(ledger.subjects)
        try index.insert(ledger.newDocuments)
    }
}

extension ServerResult {
    /// The integer in the first column of the first row; nil: there is no row.
    var integer: Int64? {
        var value: Int64?
        forEachRow { row in
            value = row.optionalInteger(0)
            return false
        }
        return value
    }
}
