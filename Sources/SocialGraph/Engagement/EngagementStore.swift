import Database

/// Two kinds of counts. Both change only here, in one transaction with the rows that they count.
///
/// The counts that a post shows are of acts: its likes, comments and shares. Rankings and trends use counts of people:
/// in `engagement_hour`, and in a post's `commenters_count` and `sharers_count`, each user counts once for each post
/// and kind, at the hour of the user's first act that stands. Any number of comments or shares by one user weighs as
/// one.
package struct EngagementStore: Sendable {
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
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension EngagementStore {
    package static let countedCommentProbe = "SELECT 1 FROM comment WHERE id = ?1 AND \(Reader.countedComment)"

    /// The counts of a post. Throws ``GraphError/postNotFound``.
    package func counts(of post: PostID) async throws -> EngagementCounts {
        try await database.read { reader in
            try PostStore.Reader(reader).requireLive(post)
            return try Reader(reader).counts(of: post)
        }
    }
}

extension EngagementStore.Reader {
    /// The first act of that kind by `user` on `post` that stands, other than `act`.
    fileprivate func firstAct(
        _ kind: EngagementKind, of user: UserID, on post: PostID, besides act: Int64
    ) throws -> Int64? {
        let arguments: [SQLValue] = [.user(user), .post(post), .integer(act)]
        switch kind {
        // A user likes a post once.
        case .likes: return nil
        case .comments: return try reader.first(Self.firstCommentQuery, arguments) { $0.integer(0) }
        // A reshare and a share elsewhere are one kind.
        case .shares:
            let queries = [Self.otherReshareQuery, Self.firstShareQuery].map { SQLQuery($0, arguments) }
            return try reader.first(of: queries) { $0.integer(0) }.compactMap(\.self).min()
        }
    }

    static let firstCommentQuery = """
        SELECT id FROM comment WHERE post_id = ?2 AND user_id = ?1 AND id <> ?3 AND \(countedComment)
        ORDER BY id LIMIT 1
        """

    static let otherReshareQuery = "SELECT id FROM reshare WHERE user_id = ?1 AND post_id = ?2 AND id <> ?3"
    static let firstShareQuery = """
        SELECT id FROM external_share WHERE post_id = ?2 AND user_id = ?1 AND id <> ?3 ORDER BY id LIMIT 1
        """

    /// Condition for a comment to count: it exists, and moderators do not hide it.
    static let countedComment = counted("comment")

    package static func counted(_ comment: String) -> String {
        ["deleted_at", "held_at", "removed_at", "taken_down_at"].map { "\(comment).\($0) IS NULL" }
            .joined(separator: " AND ")
    }

    func counts(of post: PostID) throws -> EngagementCounts {
        let counts = try reader.first(
            "SELECT likes_count, comments_count, shares_count FROM post WHERE id = ?1", [.post(post)]
        ) { EngagementCounts(likes: $0.integer(0), comments: $0.integer(1), shares: $0.integer(2)) }
        guard let counts else { throw GraphError.postNotFound }
        return counts
    }
}

extension EngagementStore.Writer {
    /// Adds `step` (1 or -1) to a post's count: the act with the id `act` of `user` stands from now on, or stands no
    /// longer. Call it after writing or deleting the row of the act.
    func count(_ step: Int64, _ kind: EngagementKind, of post: PostID, by user: UserID, act: Int64) throws {
        try transaction.execute(Self.countStatement(kind), [.post(post), .integer(step)])
        let other = try stored.firstAct(kind, of: user, on: post, besides: act)
        if let other, other < act { return }
        try countPerson(step, kind, of: post, act: act)
        if let other {
            try countPerson(-step, kind, of: post, act: other)
        } else if let statement = Self.peopleStatement(kind) {
            try transaction.execute(statement, [.post(post), .integer(step)])
        }
    }

    /// Counts one user in the hour of `act`.
    private func countPerson(_ step: Int64, _ kind: EngagementKind, of post: PostID, act: Int64) throws {
        let key: [SQLValue] = [.integer(EngagementClock.hour(of: act)), .post(post)]
        let arguments = key + EngagementKind.allCases.map { .integer($0 == kind ? step : 0) }
        // An hour past its retention has no row, and taking an act of it back must not create one.
        try transaction.execute(step > 0 ? Self.countHourStatement : Self.uncountHourStatement, arguments)
    }

    private static func countStatement(_ kind: EngagementKind) -> String {
        switch kind {
        case .likes: "UPDATE post SET likes_count = likes_count + ?2 WHERE id = ?1"
        case .comments: "UPDATE post SET comments_count = comments_count + ?2 WHERE id = ?1"
        case .shares: "UPDATE post SET shares_count = shares_count + ?2 WHERE id = ?1"
        }
    }

    /// The statement that counts people; nil: there are as many people as acts.
    private static func peopleStatement(_ kind: EngagementKind) -> String? {
        switch kind {
        case .likes: nil
        case .comments: "UPDATE post SET commenters_count = commenters_count + ?2 WHERE id = ?1"
        case .shares: "UPDATE post SET sharers_count = sharers_count + ?2 WHERE id = ?1"
        }
    }

    /// Deletes the hours that no query needs any more.
    func pruneEngagement() throws {
        let horizon = transaction.expiryTime - SocialGraphLimits.engagementRetention
        let oldest = horizon / EngagementClock.millisecondsPerHour
        try transaction.execute("DELETE FROM engagement_hour WHERE hour < ?1", [.integer(oldest)])
    }

    static let uncountHourStatement = """
        UPDATE engagement_hour SET likes = likes + ?3, comments = comments + ?4, shares = shares + ?5
        WHERE hour = ?1 AND post_id = ?2
        """
    static let countHourStatement = """
        INSERT INTO engagement_hour (hour, post_id, likes, comments, shares) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (hour, post_id) DO UPDATE SET likes = engagement_hour.likes + excluded.likes,
            comments = engagement_hour.comments + excluded.comments, shares = engagement_hour.shares + excluded.shares
        """
}
