import GRDB

extension DatabaseSchema {
    /// All tables except those of full-text indexes, which are made from the others; referenced tables first.
    ///
    /// - Throws: ``DatabaseError``.
    package func storedTables() throws -> [StoredTable] {
        do {
            let database = try DatabaseQueue()
            return try database.write { database in
                try database.execute(sql: tables)
                for change in changes { try database.execute(sql: change.statements) }
                return StoredTable.referencedFirst(try database.storedTables())
            }
        } catch let error as EngineError {
            throw DatabaseError.storage(detail: "\(error)")
        }
    }
}

extension Database {
    fileprivate func storedTables() throws -> [StoredTable] {
        // The tables of a virtual table begin with its name.
        let names = try String.fetchAll(
            self,
            sql: """
                SELECT name FROM sqlite_schema AS plain WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                AND NOT EXISTS (
                    SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'
                    AND (name = plain.name OR substr(plain.name, 1, length(name) + 1) = name || '_')
                ) ORDER BY rowid
                """)
        return try names.map { try storedTable($0) }
    }

    private func storedTable(_ name: String) throws -> StoredTable {
        let references = try Row.fetchAll(
            self, sql: "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
        let targets: [String: String] = Dictionary(uniqueKeysWithValues: references.map { ($0[0], $0[1]) })
        let rows = try Row.fetchAll(
            self, sql: "SELECT name, type, pk, \"notnull\" FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
        let columns = rows.map { row in
            StoredTable.Column(
                name: row[0], type: StoredTable.ColumnType(declared: row[1]),
                isOptional: (row[2] as Int) == 0 && (row[3] as Int) == 0, target: targets[row[0]])
        }
        let key = rows.indices.filter { (rows[$0][2] as Int) > 0 }.sorted {
            (rows[$0][2] as Int) < (rows[$1][2] as Int)
        }
        return StoredTable(name: name, columns: columns, key: key)
    }
}

extension StoredTable.ColumnType {
    fileprivate init(declared name: String) {
        switch name {
        case "REAL": self = .real
        case "TEXT": self = .text
        case "BLOB": self = .blob
        default: self = .integer
        }
    }
}
