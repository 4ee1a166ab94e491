/// An INSERT of one row or several: one statement for many rows.
///
/// Rows are split into parts whose lengths are powers of two, so that an engine prepares few statements.
package struct RowInsertion: Sendable {
    /// The type of a column's values, which an engine may need to know of a NULL.
    package enum ColumnType: Sendable { case integer, real, text, blob }

    package static let longest = 32

    /// Statements by their number of rows, powers of two from 1 to ``longest``.
    package let statements: [String]
    /// The types of a row's values.
    package let types: [ColumnType]

    /// - Parameters:
    ///   - columns: the columns of a row, in the order of its values.
    ///   - casts: types of the engine to which it converts the values of some columns.
    package init(
        into table: String, _ columns: KeyValuePairs<String, ColumnType>, casts: [String: String] = [:]
    ) {
        self.init(into: table, columns.map { ($0, $1) }, casts: casts)
    }

    package init(into table: String, _ columns: [(name: String, type: ColumnType)], casts: [String: String] = [:]) {
        types = columns.map(\.type)
        let head = "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", "))) VALUES "
        statements = sequence(first: 1) { $0 * 2 }.prefix { $0 <= Self.longest }.map { count in
            let rows = (0..<count).map { row in
                columns.enumerated().map { index, column in
                    "?\(row * columns.count + index + 1)" + (casts[column.name].map { "::" + $0 } ?? "")
                }.joined(separator: ", ")
            }
            return head + rows.map { "(\($0))" }.joined(separator: ", ")
        }
    }

    /// Calls `body` with each statement that inserts a part of `values`, which are those of whole rows, and with its
    /// part.
    package func forEachPart(of values: [SQLValue], _ body: (String, [SQLValue]) throws -> Void) rethrows {
        // Most often.
        if values.count == types.count { return try body(statements[0], values) }
        var rest = values[...]
        while !rest.isEmpty {
            let count = min(rest.count / types.count, Self.longest)
            // The largest power of two that is not above `count`.
            let place = Int.bitWidth - 1 - count.leadingZeroBitCount
            try body(statements[place], Array(rest.prefix(types.count << place)))
            rest = rest.dropFirst(types.count << place)
        }
    }
}

extension GraphTransaction {
    package func insert(_ insertion: RowInsertion, _ values: [SQLValue]) throws {
        try insertion.forEachPart(of: values) { try execute($0, $1) }
    }

    package func adjust(_ sql: String, _ arguments: [SQLValue], by amount: Int64) throws {
        try execute(sql, arguments + [.integer(amount)])
    }
}
