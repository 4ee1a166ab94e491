import Database

/// Posts of one author whose fan-outs have made equal progress.
package struct PushRequest: Sendable {
    /// At least one post. Several posts are at the start, or were answered together before.
    package let posts: [PostID]
    package let author: UserID
    package let cursor: AudienceCursor

    package init(posts: [PostID], author: UserID, cursor: AudienceCursor) {
        self.posts = posts
        self.author = author
        self.cursor = cursor
    }
}

/// The priority recipients of a large audience, who are served first.
package struct EarlyMembers: Sendable {
    /// The number of followers of all authors from which on an audience is large.
    package let leastFollowers: Int64
    /// The priority recipients; called only for a large audience.
    package let readers: @Sendable () -> [UserID]

    package init(leastFollowers: Int64, readers: @escaping @Sendable () -> [UserID]) {
        self.leastFollowers = leastFollowers
        self.readers = readers
    }
}

/// The next part of a push's audience.
package struct PushAudience: Sendable {
    /// Posts that are still to be delivered.
    package let posts: [PostID]
    /// Posts that have other authors as well: each has an audience of its own, to be asked for separately.
    package let apart: [PostID]
    /// Priority recipients, the author, then followers. Priority recipients come again in their turn, and a follower of
    /// two authors comes twice; both are harmless.
    package fileprivate(set) var members: [UserID]
    /// The start of the next part; nil at the end.
    package let next: AudienceCursor?

    package var deliveries: Int { posts.count * members.count }
}

extension AudienceStore {
    /// The next parts of the audiences of `requests`, of about `limit` members each, all on one snapshot. Once the
    /// parts come to `deliveries`, later requests are left unanswered. `early`: comes first in a first part that is not
    /// the last.
    package func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, early: EarlyMembers? = nil
    ) async throws -> [PushAudience] {
        try await database.read { reader in
            var (answers, sum): ([PushAudience], Int) = ([], 0)
            for request in requests where sum < deliveries {
                var answer =
                    request.posts.count == 1
                    ? try Reader(reader).audience(ofOne: request, limit: limit)
                    : try Reader(reader).audience(ofSeveral: request, limit: limit)
                if let early, let post = answer.posts.first, request.cursor == .start, answer.next != nil {
                    answer.members = try Reader(reader).members(early, ofAudienceOf: post) + answer.members
                }
                answers.append(answer)
                sum += answer.deliveries
            }
            return answers
        }
    }
}

extension AudienceStore.Reader {
    fileprivate func audience(ofOne request: PushRequest, limit: Int) throws -> PushAudience {
        let chunk = try audience(
            of: .push(post: request.posts[0], author: request.author), past: request.cursor, limit: limit)
        return PushAudience(
            posts: chunk.isLive ? request.posts : [], apart: [], members: chunk.members, next: chunk.next)
    }

    /// The followers of the author alone. Posts with more authors are included only if they had none at the start: a
    /// later author leaves a job of its own.
    fileprivate func audience(ofSeveral request: PushRequest, limit: Int) throws -> PushAudience {
        var (posts, apart): ([PostID], [PostID]) = ([], [])
        let areShared = try reader.first(
            of: request.posts.map { SQLQuery(Self.sharedAuthorshipQuery, [.post($0)]) }
        ) { $0.integer(0) == 1 }
        for (post, isShared) in zip(request.posts, areShared) {
            // Nil: the post was deleted, which has left a job of its own.
            guard let isShared else { continue }
            if isShared, request.cursor == .start { apart.append(post) } else { posts.append(post) }
        }
        guard let first = posts.first, try !AccountStore.Reader(reader).isSuspended(request.author) else {
            return PushAudience(posts: [], apart: apart, members: [], next: nil)
        }
        var members = request.cursor == .start ? [request.author] : []
        let work = OutboxJob.Work.push(post: first, author: request.author)
        guard try isPushed(work, of: request.author) else {
            return PushAudience(posts: posts, apart: apart, members: members, next: nil)
        }
        let position = try append(
            followersOf: request.author, past: request.cursor.position, limit: max(limit - members.count, 0),
            to: &members)
        let next =
            members.count >= limit ? AudienceCursor(author: request.author.rawValue, position: position) : nil
        return PushAudience(posts: posts, apart: apart, members: members, next: next)
    }

    /// A query for a live post: has it an author other than its publisher?
    static let sharedAuthorshipQuery = """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM post_collaborator c
                WHERE c.post_id = p.id AND c.status = \(Collaborator.Status.accepted.literal))
            THEN 1 ELSE 0 END
        FROM post p WHERE p.id = ?1 AND p.deleted_at IS NULL
        """
}
