import Database
import Synchronization
import TestSupport

/// A counter of the rows that reads and transactions get, and of the texts in them that are looked at.
final class CountedRows: Sendable {
    private let noted = Mutex((rows: 0, texts: 0))

    var count: Int { noted.withLock { $0.rows } }
    var texts: Int { noted.withLock { $0.texts } }

    fileprivate func counted(_ row: any SQLRow) -> any SQLRow {
        noted.withLock { $0.rows += 1 }
        return CountedRow(inner: row, rows: self)
    }

    fileprivate func noteText() { noted.withLock { $0.texts += 1 } }
}

private final class CountedRow: SQLRow {
    private let inner: any SQLRow
    private let rows: CountedRows

    init(inner: any SQLRow, rows: CountedRows) {
        self.inner = inner
        self.rows = rows
    }

    func integer(_ column: Int) -> Int64 { inner.integer(column) }
    func optionalReal(_ column: Int) -> Double? { inner.optionalReal(column) }
    func optionalInteger(_ column: Int) -> Int64? { inner.optionalInteger(column) }

    func text(_ column: Int) -> String {
        rows.noteText()
        return inner.text(column)
    }

    func optionalText(_ column: Int) -> String? {
        rows.noteText()
        return inner.optionalText(column)
    }

    func blob(_ column: Int) -> [UInt8] { inner.blob(column) }
    func optionalBlob(_ column: Int) -> [UInt8]? { inner.optionalBlob(column) }
}

/// Hands everything on to another database, and counts the rows that it hands back.
struct RowCountingDatabase: ForwardingDatabase {
    let inner: any GraphDatabase
    let rows: CountedRows

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read { [rows] in try body(RowCountingReader(inner: $0, rows: rows)) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write { [rows] in try body(RowCountingTransaction(inner: $0, rows: rows)) }
    }
}

private struct RowCountingReader: SQLReader {
    let inner: any SQLReader
    let rows: CountedRows

    var text: any TextSearch { inner.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try inner.forEach(sql, arguments) { try row(rows.counted($0)) }
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        try inner.fetch(queries) { try row($0, rows.counted($1)) }
    }
}

private struct RowCountingTransaction: GraphTransaction {
    let inner: any GraphTransaction
    let rows: CountedRows

    private var reader: RowCountingReader { RowCountingReader(inner: inner, rows: rows) }

    var hooks: (any DatabaseHooks)? { inner.hooks }
    var now: Int64 { inner.now }
    var expiryTime: Int64 { inner.expiryTime }
    var wallTime: Int64 { inner.wallTime }
    var text: any TextSearch { inner.text }

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
