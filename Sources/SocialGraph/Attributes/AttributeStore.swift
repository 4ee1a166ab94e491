import Database

/// Where the typed maps of one kind of owner are stored. Texts are stored folded as well: for filters of posts, and for
/// finding the users whom a post may interest.
enum AttributeTable: Sendable {
    /// Of users.
    case preferences
    case posts

    fileprivate var deletion: String {
        switch self {
        case .preferences: "DELETE FROM preference WHERE user_id = ?1"
        case .posts: "DELETE FROM post_attribute WHERE post_id = ?1"
        }
    }

    fileprivate var insertion: String {
        switch self {
        case .preferences:
            """
            INSERT INTO preference (user_id, name, ordinal, kind, text_value, number_value, text_key)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        case .posts:
            """
            INSERT INTO post_attribute (post_id, name, ordinal, kind, text_value, number_value, text_key)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        }
    }

    fileprivate var query: String {
        switch self {
        case .preferences:
            "SELECT name, kind, text_value, number_value FROM preference WHERE user_id = ?1 ORDER BY name, ordinal"
        case .posts:
            "SELECT name, kind, text_value, number_value FROM post_attribute WHERE post_id = ?1 ORDER BY name, ordinal"
        }
    }
}

/// Typed maps as rows: one a value, and one an entry of a list. A list without entries is one row without a text, so
/// that it is there.
package struct AttributeStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension AttributeStore.Reader {
    func attributes(_ table: AttributeTable, of owner: Int64) throws -> [String: AttributeValue] {
        var found: [String: AttributeValue] = [:]
        try reader.forEach(table.query, [.integer(owner)]) { row in
            let (name, text) = (row.text(0), row.optionalText(2))
            switch (try row.choice(1, of: AttributeValue.Kind.self), text, row.optionalReal(3)) {
            case (.text, let text?, nil): found[name] = .text(text)
            case (.number, nil, let number?): found[name] = .number(number)
            case (.flag, nil, 0?): found[name] = .flag(false)
            case (.flag, nil, 1?): found[name] = .flag(true)
            case (.list, _, nil):
                var entries: [String] = []
                if case .list(let earlier)? = found[name] { entries = earlier }
                if let text { entries.append(text) }
                found[name] = .list(entries)
            case (let kind, _, _): throw DatabaseError.undecodable(AttributeValue.self, "\(kind.rawValue) of \(name)")
            }
            return true
        }
        return found
    }
}

extension AttributeStore.Writer {
    /// Puts `attributes` in the place of what `owner` had.
    func store(_ attributes: [String: AttributeValue], as table: AttributeTable, of owner: Int64) throws {
        try transaction.execute(table.deletion, [.integer(owner)])
        for (name, value) in attributes {
            for (ordinal, cell) in value.cells.enumerated() {
                try transaction.execute(
                    table.insertion,
                    [
                        .integer(owner), .text(name), .integer(Int64(ordinal)), .text(value.kind.rawValue),
                        .optional(cell.text), cell.number.map(SQLValue.real) ?? .null,
                        .optional(cell.text.map(NameFolding.key)),
                    ])
            }
        }
    }
}

extension AttributeValue {
    var cells: [(text: String?, number: Double?)] {
        switch self {
        case .text(let text): [(text, nil)]
        case .number(let number): [(nil, number)]
        case .flag(let flag): [(nil, flag ? 1 : 0)]
        case .list(let entries): entries.isEmpty ? [(nil, nil)] : entries.map { ($0, nil) }
        }
    }
}
