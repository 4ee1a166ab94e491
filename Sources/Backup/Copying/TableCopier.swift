import Algorithms
import Database
import Importing

/// Copies the rows of one table from one database to another.
struct TableCopier: Sendable {
    /// Rows of one transaction.
    private static let rowsAtOnce = 2_000

    let statements: TableStatements
    let source: any GraphDatabase
    let target: any GraphDatabase
    /// Places of columns that stay empty, because the rows that they refer to are copied later.
    let later: Set<Int>

    /// - Parameter copied: tables whose rows are there before those of this one.
    init(
        _ statements: TableStatements, from source: any GraphDatabase, to target: any GraphDatabase,
        after copied: Set<String>
    ) {
        self.statements = statements
        self.source = source
        self.target = target
        let table = statements.table
        later = Set(
            table.columns.indices.filter { place in
                guard let referenced = table.columns[place].target else { return false }
                return referenced != table.name && !copied.contains(referenced)
            })
    }

    /// Copies the rows above the greatest key that the target has.
    ///
    /// - Parameter progress: called with the number of rows after each transaction.
    func copyRest(progress: (Int) -> Void) async throws {
        var last = try await target.read { [statements] in try statements.lastKey($0) }
        while true {
            let after = last
            let page = try await source.read { [statements] in
                try statements.page(after: after, limit: Self.rowsAtOnce, $0)
            }
            guard let end = page.last else { return }
            try await write(page)
            progress(page.count)
            last = statements.key(of: end)
        }
    }

    /// Copies all rows in place of those that the target has, in one transaction.
    func replace() async throws {
        var (rows, last): ([[SQLValue]], [SQLValue]?) = ([], nil)
        repeat {
            let after = last
            let page = try await source.read { [statements] in
                try statements.page(after: after, limit: Self.rowsAtOnce, $0)
            }
            rows += page
            last = page.last.map(statements.key(of:))
        } while last != nil
        try await write(rows, replacing: true)
    }

    private func write(_ rows: [[SQLValue]], replacing: Bool = false) async throws {
        let insert = BulkInsert(into: statements.table.name, statements.columns)
        try await target.writeBulk(outgrows: false) { [statements, later] transaction in
            if replacing { try transaction.execute(statements.deletion, []) }
            try insert.write(rows, in: transaction) { row, arguments in
                for (place, value) in row.enumerated() { arguments.append(later.contains(place) ? .null : value) }
            } written: { _, _ in
            }
        }
    }

    /// Copies the columns that were left empty.
    func copyLaterReferences() async throws {
        guard !later.isEmpty else { return }
        let sorted = later.sorted()
        let assignments = sorted.enumerated().map { "\(statements.columns[$1]) = ?\($0 + 1)" }
        let conditions = statements.table.key.enumerated().map {
            "\(statements.columns[$1]) = ?\(sorted.count + $0 + 1)"
        }
        let sql =
            "UPDATE \(statements.table.name) SET \(assignments.joined(separator: ", ")) WHERE "
            + conditions.joined(separator: " AND ")
        var last: [SQLValue]?
        while true {
            let after = last
            let page = try await source.read { [statements] in
                try statements.page(after: after, limit: Self.rowsAtOnce, $0)
            }
            guard let end = page.last else { return }
            let given = page.filter { row in sorted.contains { row[$0] != .null } }
            try await target.writeBulk(outgrows: false) { [statements] transaction in
                for row in given { try transaction.execute(sql, sorted.map { row[$0] } + statements.key(of: row)) }
            }
            last = statements.key(of: end)
        }
    }
}
