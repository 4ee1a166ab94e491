import GRDB

/// The transaction of one commit group. Used on the writer queue only, never after the commit.
final class SQLiteTransaction: GraphTransaction {
    let reader: SQLiteReader
    let now: Int64
    private let clock: GraphClock
    let hooks: (any DatabaseHooks)?
    private var notes: (any CommitNotes)?
    /// Rows of the change log that it has written.
    private var logged: Int64 = 0
    /// Subjects to reindex. Those of undone requests stay: their documents are unchanged, or absent.
    private var subjects: Set<TextSubject> = []
    /// Documents of subjects that the group has created.
    private var documents: [(subject: TextSubject, texts: [String])] = []
    /// Documents that ``finish()`` has written.
    private(set) var documentsIndexed = 0
    private var lastSequence: Int64 = 0
    private var sequence: IDSequence
    private let firstID: Int64
    private var mark = (logged: Int64(0), documents: 0, sequence: Int64(0))
    private var notesMark: (any Sendable)?

    init(reader: SQLiteReader, clock: GraphClock, hooks: (any DatabaseHooks)?) throws {
        self.reader = reader
        self.clock = clock
        self.hooks = hooks
        now = clock.now()
        // Read for each group: a command-line process may have allocated in between.
        let last =
            try reader.first("SELECT last FROM id_sequence WHERE only = 1", []) { $0.integer(0) } ?? 0
        sequence = IDSequence(last: last)
        firstID = last
    }

    var database: Database { reader.database }
    var expiryTime: Int64 { clock.expiry() }
    var wallTime: Int64 { clock.wall() }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try reader.forEach(sql, arguments, row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        try reader.fetch(queries, row)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        // On some errors SQLite undoes the whole transaction; later statements would commit by themselves.
        guard database.isInsideTransaction else { throw DatabaseError.storage(detail: "the transaction is over") }
        try reader.run(sql, arguments)
    }

    func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try execute(sql, arguments)
        return database.changesCount
    }

    func nextID() throws -> Int64 { try sequence.next(now: now) }

    func log(kind: Int64, subject: Int64, object: Int64) throws {
        try execute(
            "INSERT INTO change (kind, subject, object) VALUES (?1, ?2, ?3)",
            [.integer(kind), .integer(subject), .integer(object)]
        )
        lastSequence = database.lastInsertedRowID
        logged += 1
    }

    func note(_ body: (inout (any CommitNotes)?) -> Void) { body(&notes) }

    var text: any TextSearch { SQLiteTextSearch(reader: reader) }

    func index(_ subject: TextSubject) { subjects.insert(subject) }

    func index(new subject: TextSubject, texts: [String]) { documents.append((subject, texts)) }

    /// Marks the start of a request …
    func setMark() {
        mark = (logged, documents.count, lastSequence)
        notesMark = notes?.length
    }

    /// … so that a failed request leaves nothing for the observers. Ids it took stay unused.
    func rewind() {
        if let notesMark { notes?.cut(to: notesMark) } else { notes = nil }
        documents.removeLast(documents.count - mark.documents)
        // The log assigns the places of an undone request again.
        logged = mark.logged
        lastSequence = mark.sequence
    }

    /// The news for the observers.
    var news: CommittedGroup {
        CommittedGroup(sequence: logged > 0 ? (lastSequence - logged + 1)...lastSequence : nil, notes: notes)
    }

    /// Writes the data that the group shares. Documents are indexed here, all of a group at once: a savepoint, or a
    /// statement that might have to be undone, makes FTS5 write out its pending data (27 µs a post at once, 120 µs by
    /// itself).
    func finish() throws {
        let search = SQLiteTextSearch(reader: reader)
        try search.update(subjects)
        // A document that changed after its creation has been indexed in its present form.
        let new = subjects.isEmpty ? documents : documents.filter { !subjects.contains($0.subject) }
        try search.insert(new)
        documentsIndexed = subjects.count + new.count
        if logged > 0 {
            try execute(
                "INSERT INTO change_group (seq, committed_at, touched) VALUES (?1, ?2, ?3)",
                [.integer(lastSequence), .integer(now), .blob(notes?.logged ?? [])])
        }
        guard sequence.last != firstID else { return }
        try execute("UPDATE id_sequence SET last = ?1 WHERE only = 1", [.integer(sequence.last)])
    }
}
