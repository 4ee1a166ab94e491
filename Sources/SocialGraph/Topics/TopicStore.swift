import Database
import Text

/// Categories and tags.
package struct TopicStore: Sendable {
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

extension TopicStore {
    /// Follows the category and the tag of that name, even without posts; `isInHome` merges them into the home
    /// timeline. Idempotent. Throws ``GraphError/limitReached(_:)``.
    package func followTopic(_ name: String, by user: UserID, isInHome: Bool = true) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            let key = NameFolding.key(name)
            if try !transaction.exists(
                "SELECT 1 FROM topic_follow WHERE user_id = ?1 AND topic_key = ?2", [.user(user), .text(key)])
            {
                try BlockAndMuteStore.Reader(transaction).requireRoom(
                    "SELECT COUNT(*) FROM topic_follow WHERE user_id = ?1", [.user(user)],
                    below: SocialGraphLimits.followedTopics, "followed topics")
            }
            try transaction.execute(
                """
                INSERT INTO topic_follow (user_id, topic_key, name, position, in_home) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (user_id, topic_key) DO UPDATE SET in_home = excluded.in_home
                """,
                [.user(user), .text(key), .text(name), .integer(try transaction.nextID()), .flag(isInHome)])
            // The topic must exist from here on, so that readers of its followers can know its id.
            _ = try Writer(transaction).topics([TopicKey(.category, key: key), TopicKey(.tag, key: key)])
            try transaction.record(.preferencesChanged(user))
        }
    }

    /// True if the topic was followed. Idempotent.
    @discardableResult package func unfollowTopic(_ name: String, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let removed = try transaction.executeCounting(
                "DELETE FROM topic_follow WHERE user_id = ?1 AND topic_key = ?2",
                [.user(user), .text(NameFolding.key(name))])
            guard removed > 0 else { return false }
            try transaction.record(.preferencesChanged(user))
            return true
        }
    }

    /// The topics that `user` follows, the latest first: at most ``SocialGraphLimits/followedTopics``.
    package func followedTopics(of user: UserID) async throws -> [FollowedTopic] {
        try await database.read { reader in
            try reader.rows(
                "SELECT name, in_home, position FROM topic_follow WHERE user_id = ?1 ORDER BY position DESC",
                [.user(user)]
            ) { FollowedTopic(name: $0.text(0), isInHome: $0.integer(1) != 0, position: $0.integer(2)) }
        }
    }

    /// The topics of that kind with those names, in their order; nil for a name that no post has ever had and nobody
    /// has followed.
    package func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?] {
        try await database.read { reader in
            try reader.first(of: names.map { TopicKey(kind, $0).probe }) { TopicID(rawValue: $0.integer(0)) }
        }
    }

    package static let topicProbe = "SELECT id FROM topic WHERE topic_key = ?1 AND kind = ?2"

    /// Changes a user's preferences in one transaction; nil leaves a preference unchanged. `algorithms`: the tags of
    /// the user's `selected` filter; of tags that differ in case only, the first is kept. `topics`, `communities`: true
    /// merges the followed topics or joined communities into the home timeline. Takes effect with the acknowledgement.
    package func setPreferences(
        of user: UserID, algorithms: [String]? = nil, topics: Bool? = nil, communities: Bool? = nil
    ) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try Writer(transaction).setPreferences(
                of: user, algorithms: algorithms, topics: topics, communities: communities)
        }
    }

    /// The selected algorithm tags, in the user's order.
    package func selectedAlgorithms(of user: UserID) async throws -> [String] {
        try await database.read { reader in
            try reader.rows(Self.selectedAlgorithmsQuery, [.user(user)]) { $0.text(0) }
        }
    }

    static let selectedAlgorithmsQuery = "SELECT tag FROM selected_algorithm WHERE user_id = ?1 ORDER BY ordinal"

    package func homeSwitches(of user: UserID) async throws -> (topics: Bool, communities: Bool) {
        try await database.read { try Reader($0).homeSwitches(of: user) }
    }
}

extension TopicStore.Reader {
    func homeSwitches(of user: UserID) throws -> (topics: Bool, communities: Bool) {
        try reader.first(Self.homeSwitchesQuery, [.user(user)], Self.homeSwitches) ?? (true, true)
    }

    static let homeSwitchesQuery = "SELECT topics_in_home, communities_in_home FROM account WHERE id = ?1"

    static func homeSwitches(_ row: any SQLRow) -> (topics: Bool, communities: Bool) {
        (row.integer(0) != 0, row.integer(1) != 0)
    }
}

extension TopicStore.Writer {
    /// The topics of `keys`, which are distinct; missing ones are created.
    func topics(_ keys: [TopicKey]) throws -> [TopicID] {
        let known = try transaction.first(of: keys.map(\.probe)) { TopicID(rawValue: $0.integer(0)) }
        return try zip(keys, known).map { key, known in
            if let known { return known }
            let id = TopicID(rawValue: try transaction.nextID())
            try transaction.execute(
                "INSERT INTO topic (id, kind, topic_key) VALUES (?1, ?2, ?3)",
                [.topic(id), .text(key.kind.rawValue), .text(key.key)])
            try transaction.record(.topicCreated(id))
            return id
        }
    }

    /// Adds a post to distinct topics.
    func insert(_ post: PostID, into topics: [TopicID]) throws {
        for topic in topics {
            try transaction.insert(Self.topicRows, [.topic(topic), .post(post)])
            transaction.touch(.topic(topic))
        }
    }

    private static let topicRows = RowInsertion(into: "topic_post", ["topic_id": .integer, "post_id": .integer])

    func setPreferences(of user: UserID, algorithms: [String]?, topics: Bool?, communities: Bool?) throws {
        if let algorithms { try select(algorithms, for: user) }
        if let topics {
            try transaction.execute(
                "UPDATE account SET topics_in_home = ?2 WHERE id = ?1", [.user(user), .flag(topics)])
        }
        if let communities {
            try transaction.execute(
                "UPDATE account SET communities_in_home = ?2 WHERE id = ?1", [.user(user), .flag(communities)])
        }
        try transaction.record(.preferencesChanged(user))
    }

    private func select(_ tags: [String], for user: UserID) throws {
        try transaction.execute("DELETE FROM selected_algorithm WHERE user_id = ?1", [.user(user)])
        var seen: Set<String> = []
        for tag in tags {
            let key = NameFolding.key(tag)
            guard seen.insert(key).inserted else { continue }
            try transaction.execute(
                "INSERT INTO selected_algorithm (user_id, ordinal, tag, tag_key) VALUES (?1, ?2, ?3, ?4)",
                [.user(user), .integer(Int64(seen.count)), .text(tag), .text(key)])
        }
    }
}

/// A topic by its kind and its folded name.
struct TopicKey {
    let kind: TopicKind
    let key: String

    /// - Parameter key: a name that has been folded.
    init(_ kind: TopicKind, key: String) {
        self.kind = kind
        self.key = key
    }

    init(_ kind: TopicKind, _ name: String) { self.init(kind, key: NameFolding.key(name)) }

    var probe: SQLQuery { SQLQuery(TopicStore.topicProbe, [.text(key), .text(kind.rawValue)]) }
}
