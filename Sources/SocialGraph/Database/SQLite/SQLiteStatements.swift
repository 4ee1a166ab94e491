import Foundation
import GRDB
import GRDBSQLite

/// Reads through cached prepared statements of one connection.
struct SQLiteReader: SQLReader {
    let database: Database

    var text: any TextSearch { SQLiteTextSearch(database: database) }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try database.forEachRow(sql, arguments, row)
    }
}

extension Database {
    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        let cursor = try Row.fetchCursor(prepared(sql, arguments))
        let current = SQLiteRow()
        while let row = try cursor.next() {
            current.row = row
            if try !body(current) { return }
        }
    }

    func prepared(_ sql: String, _ arguments: [SQLValue]) throws -> Statement {
        let statement = try cachedStatement(sql: sql)
        // Resets, clears the bindings of the last use, and counts as bound.
        statement.setUncheckedArguments(StatementArguments())
        var index: CInt = 0
        for argument in arguments {
            index += 1
            let code = argument.bind(to: statement.sqliteStatement, at: index)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: sql) }
        }
        return statement
    }
}

/// The row that GRDB's cursor stands on. GRDB reuses it, so it must not outlive the step.
final class SQLiteRow: SQLRow {
    fileprivate(set) var row = Row()

    func integer(_ column: Int) -> Int64 { row[column] }
    func optionalReal(_ column: Int) -> Double? { row[column] }
    func optionalInteger(_ column: Int) -> Int64? { row[column] }
    func text(_ column: Int) -> String { row[column] }
    func optionalText(_ column: Int) -> String? { row[column] }
    func blob(_ column: Int) -> [UInt8] { (row[column] as Data?).map(Array.init) ?? [] }
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
