import Database

/// The statements that read and write the rows of a table, in the order of its key.
struct TableStatements: Sendable {
    let table: StoredTable
    /// The condition of rows that belong to the graph; nil: all do.
    let condition: String?
    /// Quoted, because one of them is a reserved word.
    let columns: [String]
    private let key: [String]

    init(_ table: StoredTable, condition: String? = nil) {
        self.table = table
        self.condition = condition
        columns = table.columns.map { "\"\($0.name)\"" }
        let quoted = columns
        key = table.key.map { quoted[$0] }
    }

    var count: String { "SELECT count(*) FROM \(table.name)\(filter())" }
    var deletion: String { "DELETE FROM \(table.name)\(filter())" }

    /// Statement for the greatest key.
    var lastKey: String {
        "SELECT \(key.joined(separator: ", ")) FROM \(table.name)\(filter()) ORDER BY "
            + key.map { $0 + " DESC" }.joined(separator: ", ") + " LIMIT 1"
    }

    /// Up to `limit` rows above a key; nil: from the beginning.
    func page(after last: [SQLValue]?, limit: Int, _ reader: any SQLReader) throws -> [[SQLValue]] {
        let order = key.joined(separator: ", ")
        let bounds = key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let bound = last.map { _ in "(\(order)) > (\(bounds))" }
        var rows: [[SQLValue]] = []
        try reader.values(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)\(filter(bound)) ORDER BY \(order) LIMIT "
                + "\(limit)",
            last ?? [], of: table.columns
        ) { rows.append($0) }
        return rows
    }

    func key(of row: [SQLValue]) -> [SQLValue] { table.key.map { row[$0] } }

    /// The greatest key that is stored; nil: there is no row.
    func lastKey(_ reader: any SQLReader) throws -> [SQLValue]? {
        var last: [SQLValue]?
        try reader.values(lastKey, [], of: table.key.map { table.columns[$0] }) { last = $0 }
        return last
    }

    private func filter(_ bound: String? = nil) -> String {
        let conditions = [condition, bound].compactMap(\.self)
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}
