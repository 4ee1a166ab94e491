/// The database engine, as small as the queries need it. SQLite and PostgreSQL have drivers. No query has
/// a second copy, so statements use numbered parameters (`?1`) and only syntax that both engines accept.
package protocol GraphDatabase: Sendable {
    /// Runs `body` on one consistent snapshot.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T

    /// Returns what `row` makes of the first row that `query` finds, among what was committed before the call; nil if
    /// it finds none. An engine behind a network needs no transaction for that.
    ///
    /// - Parameter isAlone: nobody else waits for the answer, so that the caller's thread may wait for it, for a
    ///   millisecond or two.
    func first<T: Sendable>(
        _ query: SQLQuery, isAlone: Bool, _ row: @escaping @Sendable (any SQLRow) throws -> T
    ) async throws -> T?

    /// Runs `body` in a transaction and returns after it is on disk. Concurrent calls share one transaction and one
    /// fsync. An error thrown by `body` undoes only that call; the others are run once more, so `body` may run twice. A
    /// failure of the engine fails the whole group with ``DatabaseError/storage(detail:)``; a full queue throws
    /// ``DatabaseError/busy``. The task's ``WriteCompanions/current`` may join the transaction.
    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T

    /// Runs `body` like ``write(_:)``. An engine behind a network may send `queries` with the beginning of the
    /// transaction, for all calls that share it, and hand `body` their results, if they have rows, when it asks them.
    /// They must therefore find nothing that any call of this method changes, once it is there.
    func write<T: Sendable>(
        readingAhead queries: @escaping @Sendable () -> [SQLQuery],
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T

    /// Runs `body` like ``write(_:)``, in a transaction of its own and without the engine's checks of foreign keys: for
    /// many rows that reference rows which `body` itself has looked up or written.
    ///
    /// - Parameter outgrows: more will be written than is there, so that little of it can be undone page by page.
    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T

    /// Registers `observer`, which is called once for each commit group in commit order, after the commit and before
    /// any of its callers resumes. A cache that it updates is therefore never older than an acknowledgement. It must
    /// not block.
    func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void)

    /// Returns when others may have committed, after `limit`, or when the task is cancelled. An engine that hears
    /// nothing of others waits for the limit. Has one waiter at a time.
    func awaitOthers(atMost limit: Duration) async

    /// Opens all readers now, instead of at their first use.
    func openReaders() throws

    /// Tells the planner of queries what the tables hold now, after much has been written. An engine whose plans do not
    /// depend on it does nothing.
    func analyze() async throws

    /// The hooks of higher modules, as the database was opened with them.
    var hooks: (any DatabaseHooks)? { get }

    /// Milliseconds since 1970 up to which data may expire, as in ``GraphTransaction/expiryTime``.
    var expiryTime: Int64 { get }

    /// True if others write to the database, too: then bulk writes must be short, and leave the indexes alone.
    var isShared: Bool { get }

    /// Returns the number of standbys that have each write before it is acknowledged; nil: the engine has none.
    func synchronousStandbys() async throws -> Int?
}

/// Work of higher modules in the transactions of lower ones. The calling module knows their type.
package protocol DatabaseHooks: AnyObject, Sendable {}

extension GraphDatabase {
    package func first<T: Sendable>(
        _ query: SQLQuery, isAlone _: Bool, _ row: @escaping @Sendable (any SQLRow) throws -> T
    ) async throws -> T? {
        try await read { try $0.first(query.sql, query.arguments, row) }
    }

    package func write<T: Sendable>(
        readingAhead _: @escaping @Sendable () -> [SQLQuery],
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await write(body)
    }

    package func awaitOthers(atMost limit: Duration) async { try? await Task.sleep(for: limit) }

    package func openReaders() throws {}

    package func analyze() async throws {}

    package var isShared: Bool { false }

    package func synchronousStandbys() async throws -> Int? { nil }
}

/// Statements that only read.
package protocol SQLReader {
    /// Calls `row` for each row until it returns false.
    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws
    /// Runs several queries in order and calls `row` with the index of the query for each row of that query, until it
    /// returns false. An engine behind a network sends all of them at once, so they cost one round trip together.
    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws
    /// The engine's full-text indexes.
    var text: any TextSearch { get }
}

/// A write transaction: statements, the id sequence, and notes for the observers of the commit.
package protocol GraphTransaction: SQLReader {
    /// Runs a statement without a result. An engine behind a network may send it together with the next query,
    /// ``executeCounting(_:_:)`` or the commit, which then throws its error.
    func execute(_ sql: String, _ arguments: [SQLValue]) throws
    /// Inserts rows in their order. An engine behind a network may gather rows of several requests until one of them
    /// asks a query or runs a statement.
    ///
    /// - Parameter values: those of all rows, one row after the other.
    func insert(_ insertion: RowInsertion, _ values: [SQLValue]) throws
    /// Runs a statement that adds its last argument, `amount`, to numbers in rows. It neither needs rows of
    /// ``insert(_:_:)`` in this transaction nor concerns them, so that an engine may run it before them, or once with
    /// the sum of several amounts.
    func adjust(_ sql: String, _ arguments: [SQLValue], by amount: Int64) throws
    /// Runs a statement at once and returns the number of rows changed.
    func executeCounting(_ sql: String, _ arguments: [SQLValue]) throws -> Int
    /// Milliseconds since 1970, one value for the whole transaction.
    var now: Int64 { get }
    /// Milliseconds since 1970 up to which data may expire or be deleted: after a jump of the clock, the time before
    /// it.
    var expiryTime: Int64 { get }
    /// The unchanged system time in milliseconds since 1970, for comparison with the times of other machines.
    var wallTime: Int64 { get }
    func nextID() throws -> Int64
    /// The hooks of the database.
    var hooks: (any DatabaseHooks)? { get }
    /// Appends a row to the commit-ordered change log. Its numbers have a meaning only for the module that writes them.
    func log(kind: Int64, subject: Int64, object: Int64) throws
    /// Passes `body` the notes for the observers of the commit, to add to them.
    func note(_ body: (inout (any CommitNotes)?) -> Void)
    /// Updates the document of `subject` in a full-text index from the tables when the transaction ends. Every write to
    /// a source of a document needs this call, in any order. A search within the transaction does not see the update.
    func index(_ subject: TextSubject)
    /// Indexes a subject that this transaction has created, with the texts of its document. See ``index(_:)``.
    func index(new subject: TextSubject, texts: [String])
}

/// A query and its arguments, to be run together with others by ``SQLReader/fetch(_:_:)``.
package struct SQLQuery: Sendable, Hashable {
    package let sql: String
    package let arguments: [SQLValue]

    package init(_ sql: String, _ arguments: [SQLValue]) {
        self.sql = sql
        self.arguments = arguments
    }
}

/// The current row of a statement; valid until the closure that got it returns.
package protocol SQLRow: AnyObject {
    func integer(_ column: Int) -> Int64
    func optionalReal(_ column: Int) -> Double?
    func optionalInteger(_ column: Int) -> Int64?
    func text(_ column: Int) -> String
    func optionalText(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]
    func optionalBlob(_ column: Int) -> [UInt8]?
}

/// A statement argument.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    @inlinable package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    @inlinable package static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
}

extension SQLReader {
    /// All rows, decoded.
    @inlinable
    @inline(__always)
    package func rows<T>(_ sql: String, _ arguments: [SQLValue], _ decode: (any SQLRow) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql, arguments) { row in
            result.append(try decode(row))
            return true
        }
        return result
    }

    /// The first row, decoded.
    @inlinable
    @inline(__always)
    package func first<T>(_ sql: String, _ arguments: [SQLValue], _ decode: (any SQLRow) throws -> T) throws -> T? {
        var result: T?
        try forEach(sql, arguments) { row in
            result = try decode(row)
            return false
        }
        return result
    }

    @inlinable
    package func exists(_ sql: String, _ arguments: [SQLValue]) throws -> Bool {
        try first(sql, arguments) { _ in true } ?? false
    }

    /// All rows of each of `queries`, decoded, in one round trip.
    @inlinable
    @inline(__always)
    package func rows<T>(of queries: [SQLQuery], _ decode: (any SQLRow) throws -> T) throws -> [[T]] {
        // All in one array first: to find the array of a query, generic code would look up its type for each row.
        var all: [T] = []
        var ends = [Int](repeating: 0, count: queries.count)
        try fetch(queries) { index, row in
            all.append(try decode(row))
            ends[index] = all.count
            return true
        }
        var start = 0
        return ends.map { end in
            defer { start = max(start, end) }
            return start < end ? Array(all[start..<end]) : []
        }
    }

    /// The first row of each of `queries`, decoded, in one round trip.
    @inlinable
    @inline(__always)
    package func first<T>(of queries: [SQLQuery], _ decode: (any SQLRow) throws -> T) throws -> [T?] {
        var results = [T?](repeating: nil, count: queries.count)
        try fetch(queries) { index, row in
            results[index] = try decode(row)
            return false
        }
        return results
    }

    /// Returns for each of `queries` whether it has a row, in one round trip.
    @inlinable
    package func exist(_ queries: [SQLQuery]) throws -> [Bool] {
        try first(of: queries) { _ in true }.map { $0 != nil }
    }
}
