import Database
import Foundation
import SocialGraph

/// Posts and comments held for review.
package struct QueueStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension QueueStore {
    /// Items that are held and neither removed nor taken down, the oldest first, strictly above `cursor`, in the
    /// community or (nil) in all communities that `user` moderates. Throws ``ModerationError/notPermitted(_:)`` for a
    /// user who moderates none, and ``GraphError/communityNotFound``.
    package func queue(
        _ filter: QueueFilter, above cursor: Int64?, limit: Int, by user: UserID
    ) async throws -> Page<HeldItem, Int64> {
        try await database.read { reader in
            var scopes: [CommunityID?] = [filter.community]
            let authority = try ModerationStore.Reader(reader).authority(of: user)
            if let community = filter.community {
                try RuleStore.Reader(reader).requireModerating(community, by: user)
            } else if authority.siteRole == nil {
                scopes = authority.communities.keys.filter { authority.may(.approvePost, in: $0) }
                guard !scopes.isEmpty else { throw ModerationError.notPermitted(.approvePost) }
            }
            let held = try Reader(reader).held(filter.kind, in: scopes, above: cursor ?? 0, limit: limit + 1)
            let page = Page(rows: held.sorted { $0.rawValue < $1.rawValue }, limit: limit, cursor: \.rawValue)
            return Page(items: try Reader(reader).items(page.items), next: page.next)
        }
    }
}

extension QueueStore {
    /// Makes the list of held comments what their states say. A node of an earlier version, which does not write it,
    /// may have served beside newer ones; the last of these to start finds what it has left.
    ///
    /// - Returns: false if there was nothing to do.
    @discardableResult
    package func restoreComments() async throws -> Bool {
        let differs = try await database.read { reader in
            try [Reader.missingProbe, Reader.surplusProbe].contains { try reader.exists($0, []) }
        }
        guard differs else { return false }
        try await database.write { transaction in
            try transaction.execute(Reader.removeSurplusStatement, [])
            try transaction.execute(Reader.addMissingStatement, [])
        }
        return true
    }
}

extension QueueStore.Reader {
    private static let missing = """
        FROM comment h JOIN post p ON p.id = h.post_id WHERE h.id > 0 AND \(heldComment)
            AND (SELECT MIN(q.comment_id) FROM held_comment q WHERE q.comment_id = h.id) IS NULL
        """
    static let missingProbe = "SELECT 1 \(missing) LIMIT 1"
    static let addMissingStatement =
        "INSERT INTO held_comment (comment_id, community_id) SELECT h.id, COALESCE(p.community_id, 0) \(missing)"

    private static let surplus = """
        SELECT q.comment_id FROM held_comment q WHERE q.comment_id > 0
            AND (SELECT MIN(h.id) FROM comment h WHERE h.id = q.comment_id AND \(heldComment)) IS NULL
        """
    static let surplusProbe = "\(surplus) LIMIT 1"
    static let removeSurplusStatement = "DELETE FROM held_comment WHERE comment_id IN (\(surplus))"

    /// The posts and comments, in one round trip and no particular order. Each scope may have as many as the limit, so
    /// their texts are not read here.
    fileprivate func held(
        _ kind: QueueFilter.Kind?, in scopes: [CommunityID?], above cursor: Int64, limit: Int
    ) throws -> [ModerationSubject] {
        let queries = scopes.flatMap { community in
            let arguments = [.integer(cursor), .integer(Int64(limit))] + RuleStore.scope(community)
            return [
                (kind: QueueFilter.Kind.post, here: Self.heldPostsInQuery, everywhere: Self.heldPostsQuery),
                (kind: .comment, here: Self.heldCommentsInQuery, everywhere: Self.heldCommentsQuery),
            ].filter { kind == nil || $0.kind == kind }.map {
                (kind: $0.kind, query: SQLQuery(community == nil ? $0.everywhere : $0.here, arguments))
            }
        }
        var subjects: [ModerationSubject] = []
        try reader.fetch(queries.map(\.query)) { index, row in
            switch queries[index].kind {
            case .post: subjects.append(.post(PostID(rawValue: row.integer(0))))
            case .comment: subjects.append(.comment(CommentID(rawValue: row.integer(0))))
            }
            return true
        }
        return subjects
    }

    private static func heldPosts(_ condition: String) -> String {
        """
        SELECT p.id FROM post p JOIN account a ON a.id = p.author_id
        WHERE p.held_at IS NOT NULL AND p.id > ?1\(condition) AND p.deleted_at IS NULL AND p.removed_at IS NULL
            AND p.taken_down_at IS NULL AND a.deleted_at IS NULL
        ORDER BY p.id LIMIT ?2
        """
    }

    static let heldPostsQuery = heldPosts("")
    static let heldPostsInQuery = heldPosts(" AND p.community_id = ?3")

    private static func heldComments(_ condition: String) -> String {
        """
        SELECT q.comment_id FROM held_comment q JOIN comment h ON h.id = q.comment_id
        JOIN account a ON a.id = h.user_id JOIN post p ON p.id = h.post_id
        WHERE q.comment_id > ?1\(condition) AND \(heldComment) AND p.deleted_at IS NULL AND a.deleted_at IS NULL
        ORDER BY q.comment_id LIMIT ?2
        """
    }

    /// The condition for a comment `h` to be in the queue.
    fileprivate static let heldComment =
        "h.held_at IS NOT NULL AND h.removed_at IS NULL AND h.taken_down_at IS NULL AND h.deleted_at IS NULL"

    static let heldCommentsQuery = heldComments("")
    static let heldCommentsInQuery = heldComments(" AND q.community_id = ?3")

    /// The items, each with the entry that holds it, in one round trip.
    fileprivate func items(_ subjects: [ModerationSubject]) throws -> [HeldItem] {
        let queries = subjects.flatMap { subject in
            let (query, facet) =
                subject.kind == .post
                ? (Self.heldPostQuery, Facet.postHeld) : (Self.heldCommentQuery, Facet.commentHeld)
            let id = SQLValue.integer(subject.rawValue)
            return [
                SQLQuery(query, [id]), SQLQuery(Self.siteStateQuery, [id, .text(facet.rawValue)]),
                SQLQuery(Self.holdQuery, ClassifierStore.Writer.key(subject)),
            ]
        }
        var items = [HeldItem?](repeating: nil, count: subjects.count)
        try reader.fetch(queries) { index, row in
            let (place, part) = index.quotientAndRemainder(dividingBy: 3)
            switch part {
            case 0: items[place] = HeldItem(subjects[place], row: row)
            case 1: if !row.text(0).isEmpty { items[place]?.scope = .site }
            default: try items[place]?.explain(row)
            }
            return false
        }
        return items.compactMap(\.self)
    }

    static let heldPostQuery = """
        SELECT p.id, p.author_id, a.username, p.community_id, c.name, p.caption, p.media_url, p.created_at, p.held_at,
            p.thumbnail_url
        FROM post p JOIN account a ON a.id = p.author_id LEFT JOIN community c ON c.id = p.community_id
        WHERE p.id = ?1
        """
    static let heldCommentQuery = """
        SELECT h.id, h.user_id, a.username, p.community_id, c.name, h.content, NULL, h.created_at, h.held_at, NULL
        FROM comment h JOIN account a ON a.id = h.user_id JOIN post p ON p.id = h.post_id
        LEFT JOIN community c ON c.id = p.community_id WHERE h.id = ?1
        """

    /// The state set by the newest decision of the site; empty if the site has lifted its hold.
    static let siteStateQuery = """
        SELECT state FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = 0 AND is_site = 1 AND ended_at IS NULL
        ORDER BY id DESC LIMIT 1
        """
    static let holdQuery = """
        SELECT seq, reason, detail FROM moderation_entry
        WHERE subject_kind = ?1 AND subject_id = ?2
            AND action IN (\(ModerationAction.holdPost.literal), \(ModerationAction.holdComment.literal))
        ORDER BY seq DESC LIMIT 1
        """
}

private struct HoldDetail: Decodable {
    let rule: String?
    let name: String?
}

extension HeldItem {
    /// - Parameter row: the entry that holds the item.
    fileprivate mutating func explain(_ row: any SQLRow) throws {
        entry = ModlogEntryID(rawValue: row.integer(0))
        reason = row.text(1)
        let text = row.text(2)
        guard let detail = try? JSONDecoder().decode(HoldDetail.self, from: Data(text.utf8)) else {
            throw DatabaseError.undecodable(HoldDetail.self, text)
        }
        if detail.rule != nil { rule = detail.name }
    }

    fileprivate init(_ subject: ModerationSubject, row: any SQLRow) {
        self.subject = subject
        user = UserID(rawValue: row.integer(1))
        username = row.text(2)
        community = row.optionalInteger(3).map(CommunityID.init(rawValue:))
        communityName = row.optionalText(4)
        text = row.text(5)
        mediaURL = row.optionalText(6)
        thumbnailURL = row.optionalText(9)
        createdAt = row.integer(7)
        heldAt = row.integer(8)
        reason = ""
        rule = nil
        entry = nil
        scope = .community
    }
}
