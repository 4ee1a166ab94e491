import Algorithms
import Database
import SocialGraph
import Text

/// The users behind the names of a batch: existing ones, and ids for those to create.
struct ImportedPeople: Sendable {
    struct Newcomer: Sendable {
        let id: UserID
        let username: String
        let key: String
    }

    /// User ids by number of the name.
    private(set) var ids: [UserID] = []
    /// Users to create, by ascending id.
    private(set) var created: [Newcomer] = []

    /// Number of names in one statement, so that its cost is shared by all of them.
    private static let namesPerStatement = 128

    /// - Parameter known: users found or created by earlier transactions.
    init(_ names: [String], known: [String: UserID], in transaction: any GraphTransaction) throws {
        let unknown = names.filter { known[$0] == nil }
        var found = try Self.stored(unknown.map(NameFolding.key), transaction)
        ids.reserveCapacity(names.count)
        for name in names {
            if let id = known[name] {
                ids.append(id)
                continue
            }
            let key = NameFolding.key(name)
            if let id = found[key] {
                ids.append(id)
                continue
            }
            let id = UserID(rawValue: try transaction.nextID())
            found[key] = id
            ids.append(id)
            created.append(Newcomer(id: id, username: name, key: key))
        }
    }

    private static func stored(_ keys: [String], _ reader: any SQLReader) throws -> [String: UserID] {
        var found: [String: UserID] = [:]
        found.reserveCapacity(keys.count)
        let queries = keys.chunks(ofCount: namesPerStatement).map { names in
            var part = names.map(SQLValue.text)
            if let last = part.last {
                part += Array(repeating: last, count: namesPerStatement - part.count)
            }
            return SQLQuery(probe, part)
        }
        try reader.fetch(queries) { _, row in
            found[row.text(0)] = UserID(rawValue: row.integer(1))
            return true
        }
        return found
    }

    private static let probe: String = {
        let keys = (1...namesPerStatement).map { "?\($0)" }.joined(separator: ", ")
        return "SELECT username_key, id FROM account WHERE username_key IN (\(keys))"
    }()

    /// Inserts the created users. `following`, `followers`: their counts from the batch, in the order of ``created``.
    func write(
        following: ArraySlice<Int64>, followers: ArraySlice<Int64>, in transaction: any GraphTransaction
    ) throws {
        var counts = zip(following, followers).makeIterator()
        try Self.insertion.write(created, in: transaction) { newcomer, values in
            let count = counts.next() ?? (0, 0)
            values.append(.user(newcomer.id))
            values.append(.text(newcomer.username))
            values.append(.text(newcomer.key))
            values.append(.integer(transaction.now))
            values.append(.integer(transaction.now))
            values.append(.integer(count.0))
            values.append(.integer(count.1))
        } written: { newcomers, _ in
            for newcomer in newcomers {
                transaction.index(new: .account(newcomer.id), texts: TextDocument.texts(ofAccountNamed: newcomer.key))
            }
        }
    }

    private static let insertion = BulkInsert(
        into: "account",
        ["id", "username", "username_key", "created_at", "updated_at", "following_count", "followers_count"])
}
