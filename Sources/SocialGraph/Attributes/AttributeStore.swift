import Database
import Text

/// The tables for the typed maps of one kind of owner. Texts are stored folded as well, for filters of posts and for
/// finding users whom a post may interest.
enum AttributeTable: Sendable {
    /// Maps of users.
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
}

/// Typed maps as rows: one for each value, and one for each entry of a list. An empty list is one row without a text.
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
    package func preferences(of user: UserID) throws -> [String: AttributeValue] {
        try AttributeRow.attributes(
            reader.rows(Self.preferencesQuery, [.user(user)]) { try AttributeRow(row: $0, from: 0) })
    }

    private static let preferencesQuery =
        "SELECT name, ordinal, kind, text_value, number_value FROM preference WHERE user_id = ?1"

    static let attributesOfPosts = ListQuery { list in
        """
        SELECT post_id, name, ordinal, kind, text_value, number_value FROM post_attribute WHERE post_id IN (\(list))
        """
    }
}

/// One row of a typed map.
struct AttributeRow {
    private let name: String
    private let ordinal: Int64
    private let kind: AttributeValue.Kind
    private let text: String?
    private let number: Double?

    /// - Parameter column: the first column of the map in the row: name, ordinal, kind, text, number.
    init(row: any SQLRow, from column: Int) throws {
        name = row.text(column)
        ordinal = row.integer(column + 1)
        kind = try row.choice(column + 2)
        text = row.optionalText(column + 3)
        number = row.optionalReal(column + 4)
    }

    /// The map that `rows` make; they may come in any order.
    static func attributes(_ rows: [AttributeRow]) throws -> [String: AttributeValue] {
        var found: [String: AttributeValue] = [:]
        for row in rows.sorted(by: { $0.ordinal < $1.ordinal }) {
            switch (row.kind, row.text, row.number) {
            case (.text, let text?, nil): found[row.name] = .text(text)
            case (.number, nil, let number?): found[row.name] = .number(number)
            case (.flag, nil, 0?): found[row.name] = .flag(false)
            case (.flag, nil, 1?): found[row.name] = .flag(true)
            case (.list, _, nil):
                var entries: [String] = []
                if case .list(let earlier)? = found[row.name] { entries = earlier }
                if let text = row.text { entries.append(text) }
                found[row.name] = .list(entries)
            case (let kind, _, _):
                throw DatabaseError.undecodable(AttributeValue.self, "\(kind.rawValue) of \(row.name)")
            }
        }
        return found
    }
}

extension AttributeStore.Writer {
    /// Replaces the map of `owner` with `attributes`.
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
