import Database
import SocialGraph
import Synchronization

/// A database that forwards to another and records each statement, so that a check of all statements can forget none.
final class RecordingDatabase: GraphDatabase {
    private let inner: any GraphDatabase
    private let seen = Mutex<Set<String>>([])

    init(_ inner: any GraphDatabase) { self.inner = inner }

    var statements: Set<String> { seen.withLock { $0 } }

    fileprivate func note(_ sql: String) { seen.withLock { _ = $0.insert(sql) } }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read { try body(RecordingReader(inner: $0, log: self)) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write { try body(RecordingTransaction(inner: $0, log: self)) }
    }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows) { try body(RecordingTransaction(inner: $0, log: self)) }
    }

    func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }

    var hooks: (any DatabaseHooks)? { inner.hooks }

    var isShared: Bool { inner.isShared }

    func synchronousStandbys() async throws -> Int? { try await inner.synchronousStandbys() }

    var expiryTime: Int64 { inner.expiryTime }
}

private struct RecordingReader: SQLReader {
    let inner: any SQLReader
    let log: RecordingDatabase

    var text: any TextSearch { inner.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        log.note(sql)
        try inner.forEach(sql, arguments, row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        for query in queries { log.note(query.sql) }
        try inner.fetch(queries, row)
    }
}

private struct RecordingTransaction: GraphTransaction {
    let inner: any GraphTransaction
    let log: RecordingDatabase

    var now: Int64 { inner.now }
    var expiryTime: Int64 { inner.expiryTime }
    var wallTime: Int64 { inner.wallTime }
    var hooks: (any DatabaseHooks)? { inner.hooks }
    var text: any TextSearch { inner.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        log.note(sql)
        try inner.forEach(sql, arguments, row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        for query in queries { log.note(query.sql) }
        try inner.fetch(queries, row)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        log.note(sql)
        try inner.execute(sql, arguments)
    }

    func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        log.note(sql)
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
