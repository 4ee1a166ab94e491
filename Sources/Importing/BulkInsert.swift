import Database

/// Inserts many rows with each statement, so the cost of a statement is shared by all of them.
struct BulkInsert {
    private static let rowsPerStatement = 256

    private let columns: Int
    private let many: String
    private let one: String

    /// - Parameter conflict: clause after the rows in the statement.
    init(into table: String, _ columns: [String], conflict: String = "") {
        self.columns = columns.count
        func statement(rows: Int) -> String {
            let values = (0..<rows).map { row in
                "(" + columns.indices.map { "?\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
            }
            return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
                + values.joined(separator: ", ") + conflict
        }
        many = statement(rows: Self.rowsPerStatement)
        one = statement(rows: 1)
    }

    /// Inserts `rows` in order. `values` appends the values of a row; `written` receives, for each statement, its rows
    /// and the number inserted.
    func write<Row>(
        _ rows: [Row], in transaction: any GraphTransaction, values: (Row, inout [SQLValue]) -> Void,
        written: (_ rows: ArraySlice<Row>, _ inserted: Int) throws -> Void
    ) throws {
        var arguments: [SQLValue] = []
        arguments.reserveCapacity(Self.rowsPerStatement * columns)
        var next = 0
        while next < rows.count {
            let isWhole = rows.count - next >= Self.rowsPerStatement
            let part = rows[next..<next + (isWhole ? Self.rowsPerStatement : 1)]
            arguments.removeAll(keepingCapacity: true)
            for row in part { values(row, &arguments) }
            try written(part, transaction.executeCounting(isWhole ? many : one, arguments))
            next = part.endIndex
        }
    }
}
