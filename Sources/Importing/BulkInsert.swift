import Database

/// Inserts many rows with each statement, so the cost of a statement is shared by all of them.
package struct BulkInsert {
    private static let rowsPerStatement = 256

    private let columns: Int
    /// Statements by their number of rows, powers of two from 1 to ``rowsPerStatement``.
    private let statements: [String]

    /// - Parameter conflict: clause after the rows in the statement.
    package init(into table: String, _ columns: [String], conflict: String = "") {
        self.columns = columns.count
        func statement(rows: Int) -> String {
            let values = (0..<rows).map { row in
                "(" + columns.indices.map { "?\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
            }
            return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
                + values.joined(separator: ", ") + conflict
        }
        statements = (0...Self.rowsPerStatement.trailingZeroBitCount).map { statement(rows: 1 << $0) }
    }

    /// Inserts `rows` in order. `values` appends the values of a row; `written` receives, for each statement, its rows
    /// and the number inserted.
    package func write<Row>(
        _ rows: [Row], in transaction: any GraphTransaction, values: (Row, inout [SQLValue]) -> Void,
        written: (_ rows: ArraySlice<Row>, _ inserted: Int) throws -> Void
    ) throws {
        var arguments: [SQLValue] = []
        arguments.reserveCapacity(Self.rowsPerStatement * columns)
        var next = 0
        while next < rows.count {
            // The largest power of two that the remaining rows fill.
            let left = min(rows.count - next, Self.rowsPerStatement)
            let place = Int.bitWidth - 1 - left.leadingZeroBitCount
            let part = rows[next..<next + (1 << place)]
            arguments.removeAll(keepingCapacity: true)
            for row in part { values(row, &arguments) }
            try written(part, transaction.executeCounting(statements[place], arguments))
            next = part.endIndex
        }
    }
}
