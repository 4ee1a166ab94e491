import Database

/// The transaction of one commit group. Used on the writer's thread only, never after the commit.
///
/// Nobody waits for statements without a result: they are sent when their request is done, at the latest, and answered
/// with the next query, or with the commit. An error of theirs therefore appears late; ``judge(_:of:)`` makes sure that
/// it fails the request that caused it and no other.
package final class ServerTransaction: GroupTransaction {
    /// Requests whose rows one statement inserts. The server works on them while the writer gathers the next ones.
    private static let mostGathered = 16
    /// Values of gathered rows after which they are written, to bound their memory.
    private static let mostGatheredValues = 8_192
    /// Waiting statements that are sent before their request is done.
    private static let mostDeferred = 32
    /// Sent statements without a result after which answers are waited for, to bound the memory that these take.
    private static let mostUnanswered = 1_024

    private let connection: PostgreSQLConnection
    private let mechanisms: WriteMechanisms
    private let clock: GraphClock
    /// Wakes other nodes once it is committed.
    private let notice: ServerCommand
    package let hooks: (any DatabaseHooks)?
    package var ledger: GroupLedger
    /// The greatest place in the change log before the group.
    private let lastPlace: Int64
    private var deferred: [ServerCommand] = []
    private var unanswered = 0
    private var ahead: ReadAhead
    private var gathered = GatheredRows()
    /// The failure that has aborted the transaction, or everything since the savepoint.
    private var failure: ServerFailure?
    /// The place of the savepoint among ``deferred``; nil: requests have no savepoints.
    private var savepoint: Int?
    private(set) var isOpen = true

    /// Begins the transaction. Takes the lock on the sequencer row, so that ids, and places in the log, are in the
    /// order of commits over all nodes. The greatest place is read after the lock, by a statement of its own, because a
    /// statement sees nothing that was committed after its start.
    ///
    /// - Parameters:
    ///   - notice: the statement that wakes other nodes once it is committed.
    ///   - queries: what the requests of the group read ahead.
    init(
        _ connection: PostgreSQLConnection, clock: GraphClock, hooks: (any DatabaseHooks)?,
        mechanisms: WriteMechanisms, notice: ServerCommand, readingAhead queries: [SQLQuery] = []
    ) throws {
        self.connection = connection
        self.mechanisms = mechanisms
        self.clock = clock
        self.notice = notice
        self.hooks = hooks
        let start = [
            ServerCommand("BEGIN"),
            ServerCommand(IDSequence.lastQuery + (mechanisms.takesSequencer ? " FOR UPDATE" : "")),
            ServerCommand("SELECT COALESCE(max(seq), 0) FROM change"),
        ]
        let results = try connection.exchange(start + queries.map(ServerCommand.init))
        ahead = ReadAhead(queries, results.dropFirst(start.count))
        lastPlace = results[2].integer ?? 0
        // After the lock has been taken: it may have been waited for.
        ledger = GroupLedger(now: clock.now(), lastID: results[1].integer ?? 0)
    }

    /// Reads further queries ahead, of requests that join the group. No request has run yet.
    func readAhead(_ queries: [SQLQuery]) throws {
        let new = queries.filter { !ahead.hasRead($0) }
        if !new.isEmpty { ahead.add(new, try connection.exchange(new.map(ServerCommand.init))) }
    }

    package var now: Int64 { ledger.now }
    package var expiryTime: Int64 { clock.expiry() }
    package var wallTime: Int64 { clock.wall() }
    package var text: any TextSearch { ServerTextSearch(reader: self) }

    // MARK: Statements

    package func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        let results = try ahead.results(of: [SQLQuery(sql, arguments)]) ?? exchange([ServerCommand(sql, arguments)])
        try results[0].forEachRow(row)
    }

    package func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        if queries.isEmpty { return }
        let results = try ahead.results(of: queries) ?? exchange(queries.map(ServerCommand.init))
        for (index, result) in results.enumerated() { try result.forEachRow { try row(index, $0) } }
    }

    package func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        if let failure { throw failure }
        deferGathered()
        deferred.append(ServerCommand(sql, arguments))
        try startIfMany()
    }

    package func insert(_ insertion: RowInsertion, _ values: [SQLValue]) throws {
        if let failure { throw failure }
        guard savepoint == nil, mechanisms.defersStatements else {
            return try insertion.forEachPart(of: values) { try execute($0, $1) }
        }
        if !gathered.add(values, to: insertion) {
            deferGathered()
            _ = gathered.add(values, to: insertion)
        }
        try deferGatheredIfMany()
    }

    package func adjust(_ sql: String, _ arguments: [SQLValue], by amount: Int64) throws {
        guard savepoint == nil, mechanisms.defersStatements else {
            return try execute(sql, arguments + [.integer(amount)])
        }
        if let failure { throw failure }
        gathered.add(amount, by: sql, arguments)
        try deferGatheredIfMany()
    }

    private func deferGatheredIfMany() throws {
        if gathered.valueCount < Self.mostGatheredValues { return }
        deferGathered()
        try startIfMany()
    }

    private func startIfMany() throws {
        if !mechanisms.defersStatements || unanswered + deferred.count >= Self.mostUnanswered {
            _ = try exchange([])
        } else if deferred.count >= Self.mostDeferred, savepoint == nil {
            try startDeferred()
        }
    }

    package func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try exchange([ServerCommand(sql, arguments)])[0].changedRows
    }

    /// Sends the waiting statements, then `commands`, and returns the results of these.
    private func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        if let failure { throw failure }
        deferGathered()
        try sendDeferred(connection.queue)
        unanswered = 0
        return try noting { try connection.exchange(commands) }
    }

    private func deferGathered() {
        if !gathered.isEmpty { deferred += gathered.take() }
    }

    /// Sends the waiting statements, so that the server runs them while the writer goes on.
    private func startDeferred() throws { try sendDeferred(connection.start) }

    private func sendDeferred(_ send: ([ServerCommand]) throws -> Void) throws {
        if deferred.isEmpty { return }
        unanswered += deferred.count
        try noting { try send(deferred) }
        deferred = []
        if savepoint != nil { savepoint = 0 }
    }

    private func noting<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as ServerFailure {
            failure = error
            throw error
        }
    }

    // MARK: The group

    package func nextID() throws -> Int64 { try ledger.nextID() }

    package func log(kind: Int64, subject: Int64, object: Int64) throws {
        let place = (ledger.places?.upperBound ?? lastPlace) + 1
        try insert(Self.changeRows, [.integer(place), .integer(kind), .integer(subject), .integer(object)])
        ledger.noteChange(at: place)
    }

    private static let changeRows = RowInsertion(
        into: "change", ["seq": .integer, "kind": .integer, "subject": .integer, "object": .integer])

    package func note(_ body: (inout (any CommitNotes)?) -> Void) { ledger.note(body) }

    package func index(_ subject: TextSubject) { ledger.index(subject) }

    package func index(new subject: TextSubject, texts: [String]) { ledger.index(new: subject, texts: texts) }

    package func rollBack() throws {
        isOpen = false
        deferred = []
        gathered = GatheredRows()
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

    package func start(_ request: WriteRequest<ServerTransaction>) {
        ledger.setMark()
        gathered.startRequest()
        if request.ahead.isEmpty { ahead = ReadAhead() }
    }

    /// With savepoints, waits for the statements that the request has left, so that an error of theirs is its own.
    /// Without them, the commit finds it, and the group is run again.
    package func judge(_ outcome: Outcome, of request: WriteRequest<ServerTransaction>) throws -> Outcome {
        if outcome.error == nil, failure == nil {
            if let savepoint {
                // Kept in `failure`, and looked at below.
                if deferred.count > savepoint { _ = try? exchange([]) }
            } else {
                if gathered.requests >= Self.mostGathered { deferGathered() }
                try startDeferred()
            }
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
            if mechanisms.wakesOthers { deferred.append(notice) }
        }
        if let last = ledger.takenID {
            try execute("UPDATE id_sequence SET last = ?1 WHERE \"only\" = 1", [.integer(last)])
        }
        deferred.append(token.raising(at: clock.wall()))
        sending(ledger.news)
        let warnings = connection.warnings
        let result = try exchange([ServerCommand("COMMIT")])[0]
        isOpen = false
        try connection.requireCommitted(result, warningsBefore: warnings)
    }

    private func writeDocuments() throws {
        let index = ServerTextIndex(transaction: self)
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
