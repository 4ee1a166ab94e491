import Database

/// Translates the tables of the stores, which are written for SQLite, for PostgreSQL. This is the one place that knows
/// the differences:
///
/// * Types have other names. Texts are compared byte by byte, whatever the collation of the database.
/// * A table has neither `STRICT` nor `WITHOUT ROWID`; it always checks types.
/// * References can be checked at the end of a transaction, which bulk writes ask for. One to a table that is made
///   later is added after it. A table that is copied and dropped, as SQLite changes one, takes the references of other
///   tables along; they are added again to its copy.
/// * An index of SQLite's ends with the integer key of its table, by which it also orders rows. Here it names the key,
///   except in a queue. What the server knows of the size of one is seldom true, so that walking such an index may seem
///   cheaper than looking rows up by their keys.
/// * `only` is a reserved word.
/// * A trigger that refuses a change calls a function.
/// * A full-text index is a table of the words of each column, with a `tsvector` and a GIN index over it. It has no
///   table of its words and nothing to tune. Changes that copy such an index have nothing to copy: a PostgreSQL
///   database begins after them.
struct SchemaTranslation {
    private static let types: [Substring: Substring] = [
        "INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea", "TEXT": "text COLLATE \"C\"",
        "only": "\"only\"",
    ]
    private static let queues: Set<Substring> = ["outbox"]
    private static let cascade: [Substring] = ["ON", "DELETE", "CASCADE"]

    /// Full-text tables, and tables of their words, seen so far.
    private var textTables: Set<Substring> = []
    private var wordTables: Set<Substring> = []
    /// Other tables seen so far, their references, and those that the script has yet to add.
    private var tables: Set<Substring> = []
    private var references: [Reference] = []
    /// The columns that are the integer keys of their tables.
    private var keys: [Substring: Substring] = [:]
    private var laterReferences: [Reference] = []

    private struct Reference {
        var table: Substring
        let column, target, targetColumn: Substring
        let isCascading: Bool

        var clause: String {
            "REFERENCES \(target) (\(targetColumn))\(isCascading ? " ON DELETE CASCADE" : "") DEFERRABLE"
        }
        var addition: String { "ALTER TABLE \(table) ADD FOREIGN KEY (\(column)) \(clause)" }
    }

    /// The statements for PostgreSQL, in order.
    mutating func statements(_ script: String) -> [String] {
        let statements = SQLTokens.statements(script).flatMap { translate($0) }
        defer { laterReferences = [] }
        return statements + laterReferences.map(\.addition)
    }

    private mutating func translate(_ statement: SQLTokens) -> [String] {
        let tokens = statement.tokens
        if statement.begins(with: "CREATE", "VIRTUAL", "TABLE") { return textTable(tokens) }
        if statement.begins(with: "CREATE", "TRIGGER") { return trigger(tokens) }
        if statement.begins(with: "INSERT", "INTO"), textTables.contains(tokens[2]) { return [] }
        if statement.begins(with: "DROP", "TABLE"), wordTables.remove(tokens[2]) != nil { return [] }
        if statement.begins(with: "DROP", "TABLE") { return drop(tokens[2]) }
        if tokens.contains("RENAME"), let name = tokens.last { rename(tokens[2], to: name) }
        if statement.begins(with: "CREATE", "TABLE") {
            tables.insert(tokens[2])
            keys[tokens[2]] = Self.integerKey(tokens)
        }
        let complete = statement.begins(with: "CREATE", "INDEX") ? withKey(tokens) : tokens
        let translated = withReferences(Self.withoutOptions(complete).map { Self.types[$0] ?? $0 })
        return [translated.joined(separator: " ")]
    }

    /// The column that is an `INTEGER PRIMARY KEY`.
    private static func integerKey(_ tokens: [Substring]) -> Substring? {
        let words: [Substring] = ["INTEGER", "PRIMARY", "KEY"]
        return tokens.indices.dropFirst().first { tokens[$0...].starts(with: words) }.map { tokens[$0 - 1] }
    }

    /// Adds the integer key of the table to the columns of `CREATE INDEX name ON table (column, …)`.
    private func withKey(_ tokens: [Substring]) -> [Substring] {
        guard let key = keys[tokens[4]], !Self.queues.contains(tokens[4]) else { return tokens }
        var depth = 0
        for place in tokens.indices.dropFirst(5) {
            if tokens[place] == "(" { depth += 1 }
            if tokens[place] == ")" { depth -= 1 }
            if depth == 1, tokens[place] == key { return tokens }
            if depth == 0 { return tokens[..<place] + [",", key] + tokens[place...] }
        }
        return tokens
    }

    private static func withoutOptions(_ tokens: [Substring]) -> [Substring] {
        guard let end = tokens.lastIndex(of: ")"), tokens[end...].contains("STRICT") else { return tokens }
        return Array(tokens[...end])
    }

    /// Completes each `REFERENCES table (column)`, with or without `ON DELETE CASCADE`, or moves it out of the
    /// statement. The definition of a column begins after a comma or the parenthesis of the list, with its name.
    private mutating func withReferences(_ tokens: [Substring]) -> [Substring] {
        var result: [Substring] = []
        var (depth, column) = (0, Substring())
        var rest = tokens[...]
        while let token = rest.popFirst() {
            if token == "(" { depth += 1 }
            if token == ")" { depth -= 1 }
            if depth == 1, token == "(" || token == "," { column = rest.first ?? "" }
            guard token == "REFERENCES", rest.count >= 4 else {
                result.append(token)
                continue
            }
            let target = Array(rest.prefix(4))
            rest = rest.dropFirst(target.count)
            let isCascading = rest.starts(with: Self.cascade)
            if isCascading { rest = rest.dropFirst(Self.cascade.count) }
            let reference = Reference(
                table: tokens[2], column: column, target: target[0], targetColumn: target[2], isCascading: isCascading)
            references.append(reference)
            if tables.contains(reference.target) {
                result.append(reference.clause[...])
            } else {
                laterReferences.append(reference)
            }
        }
        return result
    }

    /// The references of other tables are dropped, too, and added again when the script has ended.
    private mutating func drop(_ table: Substring) -> [String] {
        tables.remove(table)
        references.removeAll { $0.table == table }
        laterReferences += references.filter { $0.target == table }
        return ["DROP TABLE \(table) CASCADE"]
    }

    private mutating func rename(_ table: Substring, to name: Substring) {
        if textTables.remove(table) != nil { textTables.insert(name) }
        if tables.remove(table) != nil { tables.insert(name) }
        keys[name] = keys.removeValue(forKey: table)
        for index in references.indices where references[index].table == table { references[index].table = name }
    }

    /// `CREATE VIRTUAL TABLE name USING fts5 (column, …, option = 'value', …)`.
    private mutating func textTable(_ tokens: [Substring]) -> [String] {
        let name = tokens[3]
        guard tokens[5] == "fts5" else {
            wordTables.insert(name)
            return []
        }
        textTables.insert(name)
        let definitions = tokens[7...].split(separator: ",").filter { !$0.contains("=") }
        let columns = definitions.compactMap(\.first).map { "\($0) text COLLATE \"C\" NOT NULL" }
        return [
            "CREATE TABLE \(name) (id bigint PRIMARY KEY, \(columns.joined(separator: ", ")), words tsvector NOT NULL)",
            // Without a list of pending entries, which every search would have to read as a whole.
            "CREATE INDEX \(name)_by_word ON \(name) USING gin (words) WITH (fastupdate = off)",
        ]
    }

    /// `CREATE TRIGGER name BEFORE event ON table BEGIN SELECT RAISE(ABORT, 'message'); END`.
    private func trigger(_ tokens: [Substring]) -> [String] {
        let (name, event, table) = (tokens[2], tokens[4], tokens[6])
        let message = tokens.first { $0.hasPrefix("'") } ?? "'refused'"
        return [
            """
            CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN RAISE EXCEPTION USING MESSAGE = \(message), ERRCODE = 'integrity_constraint_violation'; END
            $body$
            """,
            "CREATE TRIGGER \(name) BEFORE \(event) ON \(table) FOR EACH ROW EXECUTE FUNCTION \(name)()",
        ]
    }
}

extension Tables {
    /// The tables that only this engine needs: the last group of each node (``GroupToken``), and the names of the
    /// schema's changes in the order in which they were applied.
    static let postgreSQL = [
        "CREATE TABLE node (id bigint PRIMARY KEY, last_group bigint NOT NULL, seen_at bigint NOT NULL)",
        "CREATE TABLE schema_change (ordinal bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE)",
    ]
}
