import Foundation
import GRDB

/// Reads through cached prepared statements of one connection.
struct SQLiteReader: SQLReader {
    let database: Database

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
        statement.setUncheckedArguments(StatementArguments(arguments.map(\.databaseValue)))
        return statement
    }
}

/// The row that GRDB's cursor stands on. GRDB reuses it, so it must not outlive the step.
final class SQLiteRow: SQLRow {
    fileprivate(set) var row = Row()

    func integer(_ column: Int) -> Int64 { row[column] }
    func optionalInteger(_ column: Int) -> Int64? { row[column] }
    func text(_ column: Int) -> String { row[column] }
    func optionalText(_ column: Int) -> String? { row[column] }
    func blob(_ column: Int) -> [UInt8] { (row[column] as Data?).map(Array.init) ?? [] }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
