/// Forwards everything and counts the round trips that an engine behind a network would take.
///
/// A query counts as one, and so do a fetch of several queries, a full-text search, and a statement whose row count is
/// needed. Statements without a result travel with what follows them. BEGIN with the read of the id sequence and with
/// what is read ahead, and COMMIT with the remaining statements, belong to the commit group and are not counted.
package struct CountedDatabase: GraphDatabase {
    private let inner: any GraphDatabase
    private let noteRoundTrip: @Sendable () -> Void

    /// - Parameter noteRoundTrip: called once for each round trip.
    package init(_ inner: any GraphDatabase, noteRoundTrip: @escaping @Sendable () -> Void) {
        self.inner = inner
        self.noteRoundTrip = noteRoundTrip
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read { try body(CountedReader(inner: $0, noteRoundTrip: noteRoundTrip)) }
    }

    package func first<T: Sendable>(
        _ query: SQLQuery, isAlone: Bool, _ row: @escaping @Sendable (any SQLRow) throws -> T
    ) async throws -> T? {
        noteRoundTrip()
        return try await inner.first(query, isAlone: isAlone, row)
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.write { try body(CountedTransaction(inner: $0, noteRoundTrip: noteRoundTrip)) }
    }

    package func write<T: Sendable>(
        readingAhead queries: @escaping @Sendable () -> [SQLQuery],
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.write(readingAhead: queries) { transaction in
            try body(CountedTransaction(inner: transaction, ahead: Set(queries()), noteRoundTrip: noteRoundTrip))
        }
    }

    package func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows) {
            try body(CountedTransaction(inner: $0, noteRoundTrip: noteRoundTrip))
        }
    }

    package var hooks: (any DatabaseHooks)? { inner.hooks }

    package var expiryTime: Int64 { inner.expiryTime }

    package var isShared: Bool { inner.isShared }

    package func synchronousStandbys() async throws -> Int? { try await inner.synchronousStandbys() }

    package func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }

    package func analyze() async throws { try await inner.analyze() }

    package func awaitOthers(atMost limit: Duration) async { await inner.awaitOthers(atMost: limit) }

    package func openReaders() throws { try inner.openReaders() }
}

private struct CountedReader: SQLReader {
    let inner: any SQLReader
    var ahead: Set<SQLQuery> = []
    let noteRoundTrip: @Sendable () -> Void

    var text: any TextSearch { CountedSearch(inner: inner.text, noteRoundTrip: noteRoundTrip) }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        if !ahead.isEmpty { return try fetch([SQLQuery(sql, arguments)]) { try row($1) } }
        noteRoundTrip()
        try inner.forEach(sql, arguments, row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        var found: Set<Int> = []
        try inner.fetch(queries) { index, values in
            if !ahead.isEmpty { found.insert(index) }
            return try row(index, values)
        }
        if !queries.indices.allSatisfy({ found.contains($0) && ahead.contains(queries[$0]) }) { noteRoundTrip() }
    }
}

private struct CountedTransaction: GraphTransaction {
    let inner: any GraphTransaction
    var ahead: Set<SQLQuery> = []
    let noteRoundTrip: @Sendable () -> Void

    var hooks: (any DatabaseHooks)? { inner.hooks }

    private var reader: CountedReader { CountedReader(inner: inner, ahead: ahead, noteRoundTrip: noteRoundTrip) }

    var now: Int64 { inner.now }
    var expiryTime: Int64 { inner.expiryTime }
    var wallTime: Int64 { inner.wallTime }
    var text: any TextSearch { reader.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try reader.forEach(sql, arguments, row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        try reader.fetch(queries, row)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws { try inner.execute(sql, arguments) }

    func insert(_ insertion: RowInsertion, _ values: [SQLValue]) throws { try inner.insert(insertion, values) }

    func adjust(_ sql: String, _ arguments: [SQLValue], by amount: Int64) throws {
        try inner.adjust(sql, arguments, by: amount)
    }

    func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        noteRoundTrip()
        return try inner.executeCounting(sql, arguments)
    }

    func nextID() throws -> Int64 { try inner.nextID() }
    func log(kind: Int64, subject: Int64, object: Int64) throws {
        try inner.log(kind: kind, subject: subject, object: object)
    }
    func note(_ body: (inout (any CommitNotes)?) -> Void) { inner.note(body) }
    func index(_ subject: TextSubject) { inner.index(subject) }
    func index(new subject: TextSubject, texts: [String]) { inner.index(new: subject, texts: texts) }
}

private struct CountedSearch: TextSearch {
    let inner: any TextSearch
    let noteRoundTrip: @Sendable () -> Void

    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64] {
        noteRoundTrip()
        return try inner.matches(query, below: bound, limit: limit)
    }

    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double] {
        noteRoundTrip()
        return try inner.ranks(of: ids, for: query)
    }

    func known(among words: [String], in vocabularies: [TextVocabulary], limit: Int) throws -> KnownWords {
        noteRoundTrip()
        return try inner.known(among: words, in: vocabularies, limit: limit)
    }
}
