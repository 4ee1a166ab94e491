import Database
import SocialGraph
import Text

/// Notifies users whose preferences match a new post. Publishing inserts one row; the users are found afterwards, in
/// bounded steps with a keyset cursor.
extension PushEventStore {
    /// Examines up to ``matchStep`` users for the oldest post still to be matched; returns true if there was one. The
    /// caller checks visibility when the event is pushed.
    package func matchInterests() async throws -> Bool {
        try await database.write { transaction in
            let match = try transaction.first(Self.matchQuery, []) {
                (post: PostID(rawValue: $0.integer(0)), step: Int($0.integer(1)), after: $0.integer(2))
            }
            guard let match else { return false }
            let post = try PostStore.Reader(transaction).posts([match.post]).first
            let interests = post.map(Interest.all(in:)) ?? []
            guard let post, match.step < interests.count else {
                try transaction.execute("DELETE FROM push_match WHERE post_id = ?1", [.post(match.post)])
                return true
            }
            let interest = interests[match.step]
            let users = try transaction.rows(
                Self.interestedQuery,
                [
                    .text(interest.preference), .text(interest.key), .integer(match.after),
                    .integer(Int64(Self.matchStep)),
                ]
            ) { UserID(rawValue: $0.integer(0)) }
            let others = users.filter { !post.authors.contains($0) }
            try Writer(transaction).arm(.newVideo, for: others, subject: post.id.rawValue, post: post.id)
            let isDone = users.count < Self.matchStep
            try transaction.execute(
                "UPDATE push_match SET step = ?2, after_user = ?3 WHERE post_id = ?1",
                [
                    .post(match.post), .integer(Int64(match.step + (isDone ? 1 : 0))),
                    .integer(isDone ? 0 : users.last?.rawValue ?? 0),
                ])
            return true
        }
    }

    static let matchQuery =
        "SELECT post_id, step, after_user FROM push_match WHERE post_id > 0 ORDER BY post_id LIMIT 1"

    static let interestedQuery = """
        SELECT DISTINCT user_id FROM preference WHERE name = ?1 AND text_key = ?2 AND user_id > ?3
        ORDER BY user_id LIMIT ?4
        """

    /// Returns the newest posts that match the preferences of `user`, newest first, without the user's own. The caller
    /// checks visibility.
    package func newestMatches(of user: UserID, limit: Int) async throws -> [PostID] {
        try await database.read { reader in
            let preferences = try AttributeStore.Reader(reader).preferences(of: user)
            let queries = Interest.preferences.flatMap { attribute, names in
                Set(names.flatMap { preferences[$0]?.keys ?? [] }).map { key in
                    SQLQuery(
                        Self.newestMatchesQuery, [.text(attribute), .text(key), .integer(Int64(limit)), .user(user)])
                }
            }
            let found = Set(try reader.rows(of: queries) { PostID(rawValue: $0.integer(0)) }.joined())
            return Array(found.sorted(by: >).prefix(limit))
        }
    }

    static let newestMatchesQuery = """
        SELECT x.post_id FROM post_attribute x JOIN post p ON p.id = x.post_id
        WHERE x.name = ?1 AND x.text_key = ?2 AND p.author_id <> ?4 ORDER BY x.post_id DESC LIMIT ?3
        """
}

extension PushEventStore.Writer {
    /// Enqueues a match, unless nobody could be notified. Imports do not call this and notify nobody.
    package func enqueueMatch(of post: PostID) throws {
        let probe = Self.matchProbe
        guard try transaction.first(probe.sql, probe.arguments, { $0.integer(0) }) == 1 else { return }
        try transaction.insert(Self.matchRows, [.post(post), .integer(0), .integer(0)])
    }

    /// A query for 1 if a push could reach anybody, else for 0.
    static let matchProbe = SQLQuery(
        """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM device WHERE id > 0)
            OR EXISTS (SELECT 1 FROM webhook WHERE id > 0)
            OR EXISTS (SELECT 1 FROM push_setting WHERE user_id > 0 AND uses_topic = 1) THEN 1 ELSE 0 END
        """, [])

    private static let matchRows = RowInsertion(
        into: "push_match", ["post_id": .integer, "step": .integer, "after_user": .integer])
}

/// An attribute of a post that preferences can match: the name of a preference, and a folded text among its values.
private struct Interest: Hashable {
    let preference: String
    let key: String

    /// Preferences that each attribute is matched with.
    static let preferences = [
        "workoutType": ["preferredWorkoutTypes", "preferredTypes"],
        "cuisineType": ["preferredCuisines", "preferredTypes"],
    ]

    /// Returns the interests in a fixed order, so that a match continues at its last step.
    static func all(in post: Post) -> [Interest] {
        var found: Set<Interest> = []
        for (attribute, names) in preferences {
            for key in post.attributes[attribute]?.keys ?? [] {
                for name in names { found.insert(Interest(preference: name, key: key)) }
            }
        }
        let topics = Set((post.algorithmTags + [post.category].compactMap(\.self)).map(NameFolding.key))
        for key in topics {
            for name in Set(preferences.values.joined()) { found.insert(Interest(preference: name, key: key)) }
        }
        return found.sorted { ($0.preference, $0.key) < ($1.preference, $1.key) }
    }
}

extension AttributeValue {
    /// Folded texts.
    fileprivate var keys: [String] {
        switch self {
        case .text(let text): [NameFolding.key(text)]
        case .list(let texts): texts.map(NameFolding.key)
        case .number, .flag: []
        }
    }
}
