import Database
import SocialGraph

/// Facts about an author for rules about rates and new accounts, read once for all rules of a scope.
extension ScreeningStore.Reader {
    /// Reads the author's writing in the period needed by the rules. A nil `community` includes everything the author
    /// has written.
    func screenedAuthor(
        _ author: UserID, in community: CommunityID?, _ lookbacks: [(count: Int64, seconds: Int64, posts: Int64)]
    ) throws -> ScreenedAuthor {
        var found = ScreenedAuthor()
        found.accountCreatedAt =
            try reader.first("SELECT created_at FROM account WHERE id = ?1", [.user(author)]) { $0.integer(0) } ?? 0
        let (count, seconds, posts) = lookbacks.reduce((0, 0, 0)) {
            (max($0.0, $1.count), max($0.1, $1.seconds), max($0.2, $1.posts))
        }
        if posts > 0 {
            let before: [SQLValue] = [.user(author), .integer(0), .integer(.max), .integer(posts)]
            found.posts = Int64(try reader.rows(ScreenedContent.postsQuery, before) { $0.integer(0) }.count)
        }
        guard count > 0 else { return found }
        // The clock of the snapshot: the last id assigned.
        found.upTo = try reader.first(IDSequence.lastQuery, []) { $0.integer(0) } ?? 0
        let first = IDSequence.first(
            at: IDSequence.milliseconds(of: found.upTo) - seconds * Milliseconds.second)
        found.written = try written(by: author, in: community, after: first, to: found.upTo, limit: count + 1)
        return found
    }

    /// Returns the counts as of the time at which `content` was written.
    func screenedAuthor(
        of content: ScreenedContent, in community: CommunityID?,
        _ lookback: (count: Int64, seconds: Int64, posts: Int64)
    ) throws -> ScreenedAuthor {
        var found = ScreenedAuthor()
        found.accountCreatedAt =
            try reader.first("SELECT created_at FROM account WHERE id = ?1", [.user(content.author)]) {
                $0.integer(0)
            } ?? 0
        let id = content.subject.rawValue
        if lookback.posts > 0 {
            let before: [SQLValue] = [.user(content.author), .integer(0), .integer(id - 1), .integer(lookback.posts)]
            found.posts = Int64(try reader.rows(ScreenedContent.postsQuery, before) { $0.integer(0) }.count)
        }
        guard lookback.count > 0 else { return found }
        let first = IDSequence.first(
            at: IDSequence.milliseconds(of: id) - lookback.seconds * Milliseconds.second)
        found.written = try written(
            by: content.author, in: community, after: first, to: id, limit: lookback.count + 1)
        return found
    }

    /// Adds the author's writing since the snapshot, up to `content`.
    func completed(
        _ author: ScreenedAuthor, of content: ScreenedContent, in community: CommunityID?, _ book: RuleBook
    ) throws -> ScreenedAuthor {
        let count = book.rules.reduce(0) { max($0, $1.lookback.count) }
        guard count > 0 else { return author }
        var author = author
        author.written += try written(
            by: content.author, in: community, after: author.upTo, to: content.subject.rawValue, limit: count + 1)
        return author
    }

    /// Returns ids of posts and comments, at most the newest `limit` of each kind.
    private func written(
        by author: UserID, in community: CommunityID?, after first: Int64, to last: Int64, limit: Int64
    ) throws -> [Int64] {
        let queries =
            community == nil
            ? [ScreenedContent.postsQuery, ScreenedContent.commentsQuery]
            : [ScreenedContent.postsInQuery, ScreenedContent.commentsInQuery]
        let arguments: [SQLValue] =
            [.user(author), .integer(first), .integer(last), .integer(limit)] + RuleStore.scope(community)
        return try reader.rows(of: queries.map { SQLQuery($0, arguments) }) { $0.integer(0) }.flatMap(\.self)
    }
}
