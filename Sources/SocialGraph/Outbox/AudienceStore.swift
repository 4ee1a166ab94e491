import Database

/// A part of the users whose windows a job concerns.
package struct AudienceChunk: Sendable {
    /// False if the work no longer applies: the act that undid it has left a job of its own.
    package let isLive: Bool
    /// Actors and followers. A follower of two authors comes twice, which is harmless.
    package let members: [UserID]
    /// The start of the next chunk; nil at the end of the audience.
    package let next: AudienceCursor?
}

/// Audiences of jobs: the users whose windows a job changes.
package struct AudienceStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension AudienceStore {
    /// Up to about `limit` members of the audience of `work` past `cursor`, and whether the work still applies, all on
    /// one snapshot. Followers of a hub are left out because they pull, except for work that removes entries: those may
    /// have been pushed before the author became a hub.
    package func audience(
        of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int
    ) async throws -> AudienceChunk {
        try await database.read { try Reader($0).audience(of: work, past: cursor, limit: limit) }
    }
}

extension AudienceStore.Reader {
    func audience(of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int) throws -> AudienceChunk {
        guard try stands(work) else { return AudienceChunk(isLive: false, members: [], next: nil) }
        let actors = try self.actors(of: work, from: cursor.author)
        var members: [UserID] = []
        // Authors come before all others, so that a writer reads its own write.
        let isPush = if case .push = work { true } else { false }
        if isPush, cursor == .start { members = actors }
        let hubs = try HubStore.Reader(reader).hubs(among: actors)
        // One statement for each actor: its limit is what the actors before have left.
        for actor in actors {
            let start = actor.rawValue == cursor.author ? cursor.position : 0
            if start == 0, !isPush { members.append(actor) }
            guard try isPushed(work, of: actor, hubs[actor]) else { continue }
            let position = try append(
                followersOf: actor, past: start, limit: max(limit - members.count, 0), to: &members)
            if members.count >= limit {
                let next = AudienceCursor(author: actor.rawValue, position: position)
                return AudienceChunk(isLive: true, members: try willing(members, work), next: next)
            }
        }
        let next =
            actors.count == Self.actorsAtOnce
            ? AudienceCursor(author: actors[actors.count - 1].rawValue + 1, position: 0) : nil
        return AudienceChunk(isLive: true, members: try willing(members, work), next: next)
    }

    /// Appends followers of `actor`; returns the start of the next ones, at least 1, because a position of 0 would
    /// begin the actor again.
    func append(followersOf actor: UserID, past start: Int64, limit: Int, to members: inout [UserID]) throws -> Int64 {
        var position = start
        try reader.forEach(Self.audienceQuery, [.user(actor), .integer(start), .integer(Int64(limit))]) { row in
            members.append(UserID(rawValue: row.integer(0)))
            position = row.integer(1)
            return true
        }
        return max(position, 1)
    }

    /// The `priority` readers whom a push of `post` concerns; none if the audience is not that large.
    func members(_ priority: PriorityRecipients, ofAudienceOf post: PostID) throws -> [UserID] {
        let work = OutboxJob.Work.push(post: post, author: UserID(rawValue: 0))
        let all = try actors(of: work, from: 0)
        let hubs = try HubStore.Reader(reader).hubs(among: all)
        let authors = try all.filter { try isPushed(work, of: $0, hubs[$0]) }
        let followers = try DeliveryStore.Reader(reader).followersCounts(of: authors).reduce(0, +)
        guard followers >= priority.leastFollowers else { return [] }
        let readers = priority.readers()
        let queries = authors.flatMap { author in
            Self.followersAmongQuery.queries(readers.map(SQLValue.user), after: [.user(author)])
        }
        let following = Set(try reader.rows(of: queries) { UserID(rawValue: $0.integer(0)) }.joined())
        return readers.filter(following.contains)
    }

    static let followersAmongQuery = ListQuery(after: 1) { list in
        "SELECT follower_id FROM follow WHERE followee_id = ?1 AND follower_id IN (\(list))"
    }

    static let audienceQuery = """
        SELECT follower_id, position FROM follow WHERE followee_id = ?1 AND position > ?2 ORDER BY position LIMIT ?3
        """

    /// Returns whether the act behind the work still stands.
    private func stands(_ work: OutboxJob.Work) throws -> Bool {
        switch work {
        case .push(let post, _):
            try reader.exists("SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(post)])
        case .addReason(let entry, let actor) where entry.isReshare:
            try reader.exists(Self.liveReshareQuery, [.position(entry.position), .user(actor)])
        case .addReason(let entry, let actor):
            try reader.exists(
                "SELECT 1 FROM author_post WHERE author_id = ?1 AND post_id = ?2", [.user(actor), .post(entry.post)])
        default: true
        }
    }

    /// A query for a reshare that stands. Reshares of a deleted post stay until they are purged.
    static let liveReshareQuery = """
        SELECT 1 FROM reshare r JOIN post p ON p.id = r.post_id
        WHERE r.id = ?1 AND r.user_id = ?2 AND p.deleted_at IS NULL
        """

    static let actorsAtOnce = 256

    /// The users whose followers the work concerns, ascending from the id `first`. Work that adds entries leaves out
    /// suspended users.
    private func actors(of work: OutboxJob.Work, from first: Int64) throws -> [UserID] {
        switch work {
        case .push(let post, _):
            try AccountStore.Reader(reader).withoutSuspended(
                try reader.rows(
                    Self.audienceAuthorsQuery, [.post(post), .integer(first), .integer(Int64(Self.actorsAtOnce))]
                ) {
                    UserID(rawValue: $0.integer(0))
                })
        case .addReason(_, let actor):
            try actor.rawValue >= first && !AccountStore.Reader(reader).isSuspended(actor) ? [actor] : []
        case .remove(let post, _):
            try reader.rows(
                Self.audienceActorsQuery, [.post(post), .integer(first), .integer(Int64(Self.actorsAtOnce))]
            ) {
                UserID(rawValue: $0.integer(0))
            }
        case .removeReason(_, let actor), .backfill(let actor, _), .rebuildFollowers(let actor):
            actor.rawValue >= first ? [actor] : []
        case .rebuild, .evict, .evictAll, .build: []
        }
    }

    static let audienceAuthorsQuery = """
        SELECT p.author_id FROM post p WHERE p.id = ?1 AND p.author_id >= ?2
        UNION SELECT c.user_id FROM post_collaborator c
        WHERE c.post_id = ?1 AND c.status = \(Collaborator.Status.accepted.literal) AND c.user_id >= ?2
        ORDER BY 1 LIMIT ?3
        """

    static let audienceActorsQuery = """
        SELECT p.author_id FROM post p WHERE p.id = ?1 AND p.author_id >= ?2
        UNION SELECT c.user_id FROM post_collaborator c
        WHERE c.post_id = ?1 AND c.status = \(Collaborator.Status.accepted.literal) AND c.user_id >= ?2
        UNION SELECT r.user_id FROM reshare r WHERE r.post_id = ?1 AND r.user_id >= ?2
        ORDER BY 1 LIMIT ?3
        """

    /// Returns whether `user` is an author, also of a deleted post, which is in no author feed any more.
    private func isAuthor(_ user: UserID, of post: PostID) throws -> Bool {
        try reader.first(Self.audienceAuthorsQuery, [.post(post), .user(user), .integer(1)]) { $0.integer(0) }
            == user.rawValue
    }

    /// - Parameter hub: `actor` as a hub.
    private func isPushed(
        _ work: OutboxJob.Work, of actor: UserID, _ hub: (phase: HubPhase, since: Int64)?
    ) throws -> Bool {
        guard let hub, hub.phase == .pulled else { return true }
        switch work {
        case .push, .addReason: return false
        case .backfill: return false
        case .removeReason(let entry, _): return entry.position.rawValue < hub.since
        case .remove(let post, _):
            // An author's push counts, not a later reshare; a resharer has only the reshare.
            if try isAuthor(actor, of: post) { return post.rawValue < hub.since }
            return try ReshareStore.Reader(reader).reshareID(of: post, by: actor) ?? 0 < hub.since
        case .rebuild, .evict, .evictAll, .build, .rebuildFollowers: return true
        }
    }

    /// Removes users who have muted the resharer's reshares from the audience of a reshare.
    private func willing(_ members: [UserID], _ work: OutboxJob.Work) throws -> [UserID] {
        guard case .addReason(let entry, let actor) = work, entry.isReshare else { return members }
        let muters = Set(try reader.rows(Self.resharesMutersQuery, [.user(actor)]) { UserID(rawValue: $0.integer(0)) })
        return muters.isEmpty ? members : members.filter { !muters.contains($0) }
    }

    static let resharesMutersQuery = "SELECT muter_id FROM mute WHERE muted_id = ?1 AND reshares = 1"
}
