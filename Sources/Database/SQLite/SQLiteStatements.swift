import GRDB
import GRDBSQLite

/// Reads through prepared statements of one connection.
struct SQLiteReader: SQLReader {
    let database: Database
    private let cache: StatementCache

    init(_ database: Database, _ caches: StatementCaches) {
        self.database = database
        cache = caches.cache(of: database)
    }

    var text: any TextSearch { SQLiteTextSearch(reader: self) }

    /// Runs queries one after the other: there are no round trips to save.
    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        for (index, query) in queries.enumerated() {
            try forEach(query.sql, query.arguments) { try row(index, $0) }
        }
    }

    /// Steps through the statement directly: GRDB's cursor and its rows cost several times what SQLite does.
    func forEach(_ sql: String, _ arguments: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        let statement = try prepared(sql, arguments)
        try withExtendedLifetime(statement) {
            let pointer = statement.sqliteStatement
            // A statement that is left before its last row would hold its snapshot.
            defer { sqlite3_reset(pointer) }
            let row = SQLiteRow(pointer)
            while true {
                switch sqlite3_step(pointer) {
                case SQLITE_ROW: if try !body(row) { return }
                case SQLITE_DONE: return
                case let code: throw failure(code, of: sql)
                }
            }
        }
    }

    /// Executes a statement that neither begins nor ends a transaction, because GRDB has to know about those.
    func run(_ sql: String, _ arguments: [SQLValue] = []) throws {
        try forEach(sql, arguments) { _ in true }
    }

    private func prepared(_ sql: String, _ arguments: [SQLValue]) throws -> Statement {
        let statement = try cache.statement(sql, of: database)
        let pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        var index: CInt = 0
        for argument in arguments {
            index += 1
            let code = argument.bind(to: pointer, at: index)
            guard code == SQLITE_OK else { throw failure(code, of: sql) }
        }
        return statement
    }

    private func failure(_ code: CInt, of sql: String) -> any Error {
        // Only reads of a cancelled task are interrupted.
        if code & 0xFF == SQLITE_INTERRUPT { return CancellationError() }
        return EngineError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: sql)
    }
}

/// The current row of a statement; it must not outlive the step.
private final class SQLiteRow: SQLRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    func integer(_ column: Int) -> Int64 {
        assert(!isNull(column), "a column that may be NULL is read as an optional")
        return sqlite3_column_int64(statement, CInt(column))
    }

    func optionalReal(_ column: Int) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(statement, CInt(column))
    }

    func optionalInteger(_ column: Int) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(statement, CInt(column))
    }

    func text(_ column: Int) -> String {
        assert(!isNull(column), "a column that may be NULL is read as an optional")
        return optionalText(column) ?? ""
    }

    func optionalText(_ column: Int) -> String? {
        // The text first: asking for it may convert the value, and only then is its length known.
        guard let text = sqlite3_column_text(statement, CInt(column)) else { return nil }
        let length = Int(sqlite3_column_bytes(statement, CInt(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
    }

    func blob(_ column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, CInt(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
    }

    func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    private func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }
}

extension SQLValue {
    fileprivate func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var value):
            // An empty text is not NULL, whatever address it has.
            if value.isEmpty { return sqlite3_bind_text(statement, index, "", 0, Self.copied) }
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, CInt($0.count), Self.copied)
                }
            }
        case .blob(let bytes):
            // A blob of no bytes is not NULL.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob(statement, index, bytes, CInt(bytes.count), Self.copied)
        }
    }

    /// SQLITE_TRANSIENT, which Swift does not import: SQLite copies the bytes.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
