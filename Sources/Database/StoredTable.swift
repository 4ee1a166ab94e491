/// A table of the schema, as a copy of a database needs it.
package struct StoredTable: Sendable, Equatable {
    package enum ColumnType: Sendable {
        case integer, real, text, blob
    }

    package struct Column: Sendable, Equatable {
        package let name: String
        package let type: ColumnType
        package let isOptional: Bool
        /// The table whose row the column refers to; nil: none.
        package let target: String?

        package init(name: String, type: ColumnType, isOptional: Bool = false, target: String? = nil) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
            self.target = target
        }
    }

    package let name: String
    package let columns: [Column]
    /// Places of the columns of the primary key, in their order in it.
    package let key: [Int]

    package init(name: String, columns: [Column], key: [Int]) {
        self.name = name
        self.columns = columns
        self.key = key
    }
}

extension StoredTable {
    /// Sorts tables so that each follows those that its rows refer to. Where they refer to each other in a circle, the
    /// first table follows only those that its columns without null values refer to.
    package static func referencedFirst(_ tables: [StoredTable]) -> [StoredTable] {
        var (rest, sorted, names): ([StoredTable], [StoredTable], Set<String>) = (tables, [], [])
        func isReady(_ table: StoredTable, where counts: (Column) -> Bool = { _ in true }) -> Bool {
            table.columns.filter(counts).compactMap(\.target).allSatisfy { $0 == table.name || names.contains($0) }
        }
        while !rest.isEmpty {
            let next = rest.firstIndex { isReady($0) } ?? rest.firstIndex { isReady($0) { !$0.isOptional } } ?? 0
            names.insert(rest[next].name)
            sorted.append(rest.remove(at: next))
        }
        return sorted
    }
}

extension SQLReader {
    /// Calls `row` with the values of each row.
    package func values(
        _ sql: String, _ arguments: [SQLValue], of columns: [StoredTable.Column], _ row: ([SQLValue]) throws -> Void
    ) throws {
        try forEach(sql, arguments) { found in
            try row(columns.enumerated().map { found.value($0, $1.type) })
            return true
        }
    }
}

extension SQLRow {
    fileprivate func value(_ column: Int, _ type: StoredTable.ColumnType) -> SQLValue {
        switch type {
        case .integer: optionalInteger(column).map { .integer($0) } ?? .null
        case .real: optionalReal(column).map { .real($0) } ?? .null
        case .text: optionalText(column).map { .text($0) } ?? .null
        case .blob: optionalBlob(column).map { .blob($0) } ?? .null
        }
    }
}
