import Database
import Synchronization
import TestSupport

/// A counter of the rows that transactions read.
final class CountedRows: Sendable {
    private let noted = Mutex(0)

    var count: Int { noted.withLock { $0 } }

    fileprivate func note() { noted.withLock { $0 += 1 } }
}

/// Hands everything on to another database, and counts the rows that its transactions read.
struct RowCountingDatabase: ForwardingDatabase {
    let inner: any GraphDatabase
    let rows: CountedRows

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write { [rows] in try body(RowCountingTransaction(inner: $0, rows: rows)) }
    }
}

private struct RowCountingTransaction: GraphTransaction {
    let inner: any GraphTransaction
    let rows: CountedRows

    var hooks: (any DatabaseHooks)? { inner.hooks }
    var now: Int64 { inner.now }
    var expiryTime: Int64 { inner.expiryTime }
    var wallTime: Int64 { inner.wallTime }
    var text: any TextSearch { inner.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try inner.forEach(sql, arguments) {
            rows.note()
            return try row($0)
        }
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        try inner.fetch(queries) {
            rows.note()
            return try row($0, $1)
        }
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws { try inner.execute(sql, arguments) }

    func insert(_ insertion: RowInsertion, _ values: [SQLValue]) throws { try inner.insert(insertion, values) }

    func adjust(_ sql: String, _ arguments: [SQLValue], by amount: Int64) throws {
        try inner.adjust(sql, arguments, by: amount)
    }

    func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try inner.executeCounting(sql, arguments)
    }

    func nextID() throws -> Int64 { try inner.nextID() }

    func log(kind: Int64, subject: Int64, object: Int64) throws {
        try inner.log(kind: kind, subject: subject, object: object)
    }

    func note(_ body: (inout (any CommitNotes)?) -> Void) { inner.note(body) }
    func index(_ subject: TextSubject) { inner.index(subject) }
    func index(new subject: TextSubject, texts: [String]) { inner.index(new: subject, texts: texts) }
}
