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
package struct PriorityRecipients: Sendable {
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
    /// parts come to `deliveries`, later requests are left unanswered. `priority`: comes first in a first part that is
    /// not the last.
    package func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, priority: PriorityRecipients? = nil
    ) async throws -> [PushAudience] {
        try await database.read { reader in
            var (answers, sum): ([PushAudience], Int) = ([], 0)
            while answers.count < requests.count, sum < deliveries {
                // As many as will be answered, even if all before the last are as large as they can be.
                var bound = sum
                let part = requests[answers.count...].prefix { request in
                    defer { bound += request.posts.count * Reader.mostMembers(limit) }
                    return bound < deliveries
                }
                let found = try Reader(reader).pushAudiences(of: Array(part), limit: limit, priority: priority)
                sum += found.reduce(0) { $0 + $1.deliveries }
                answers += found
            }
            return answers
        }
    }
}

extension AudienceStore.Reader {
    /// The largest number of members of one part: priority recipients, who are at most `limit`, authors and followers.
    fileprivate static func mostMembers(_ limit: Int) -> Int { 2 * limit + SocialGraphLimits.collaboratorsPerPost + 1 }

    /// The parts of all of `requests`, in a few round trips as long as the posts have one author each.
    fileprivate func pushAudiences(
        of requests: [PushRequest], limit: Int, priority: PriorityRecipients?
    ) throws -> [PushAudience] {
        var parts = try pushParts(of: requests)
        let actors = Set(parts.flatMap(\.actors)).sorted()
        let hubs = try HubStore.Reader(reader).hubs(among: actors)
        let live = Set(try AccountStore.Reader(reader).withoutSuspended(actors))
        for index in parts.indices { parts[index].resolve(live: live) { hubs[$0]?.phase != .pulled } }
        let open = parts.indices.filter { parts[$0].isOpen }
        let queries = open.map { SQLQuery(Self.audienceQuery, parts[$0].nextFollowers(limit)) }
        try reader.fetch(queries) { place, row in
            parts[open[place]].add(UserID(rawValue: row.integer(0)), at: row.integer(1))
            return true
        }
        for index in open { parts[index].finishActor(limit) }
        return try parts.map { part in
            var part = part
            // Only posts with more than one author.
            while part.isOpen {
                try reader.forEach(Self.audienceQuery, part.nextFollowers(limit)) { row in
                    part.add(UserID(rawValue: row.integer(0)), at: row.integer(1))
                    return true
                }
                part.finishActor(limit)
            }
            var answer = part.audience
            if let priority, let post = answer.posts.first, part.request.cursor == .start, answer.next != nil {
                answer.members = try members(priority, ofAudienceOf: post) + answer.members
            }
            return answer
        }
    }

    /// The posts and the authors that `requests` are about, in one round trip.
    private func pushParts(of requests: [PushRequest]) throws -> [PushPart] {
        var parts = requests.map(PushPart.init)
        let single = requests.indices.filter { requests[$0].posts.count == 1 }
        let authors = single.map { index in
            let (post, author) = (requests[index].posts[0], requests[index].cursor.author)
            return SQLQuery(
                Self.audienceAuthorsQuery, [.post(post), .integer(author), .integer(Int64(Self.actorsAtOnce))])
        }
        let live = Self.sharedAuthorshipQuery.queries(requests.flatMap(\.posts).map(SQLValue.post))
        var isShared: [PostID: Bool] = [:]
        try reader.fetch(authors + live) { place, row in
            if place < single.count {
                parts[single[place]].actors.append(UserID(rawValue: row.integer(0)))
            } else {
                isShared[PostID(rawValue: row.integer(0))] = row.integer(1) == 1
            }
            return true
        }
        // A post that was deleted has left a job of its own.
        for (index, request) in requests.enumerated() {
            for post in request.posts {
                if let isShared = isShared[post] { parts[index].add(post, isShared: isShared) }
            }
        }
        return parts
    }

    /// A query for those posts of a list that are live: has it an author other than its publisher? Written so that no
    /// index of live posts serves it: to a planner that knows nothing of the table yet, walking one seems cheap.
    static let sharedAuthorshipQuery = ListQuery { list in
        """
        SELECT p.id, CASE WHEN EXISTS (SELECT 1 FROM post_collaborator c
                WHERE c.post_id = p.id AND c.status = \(Collaborator.Status.accepted.literal))
            THEN 1 ELSE 0 END
        FROM post p WHERE p.id IN (\(list)) AND COALESCE(p.deleted_at, 0) = 0
        """
    }
}

/// The answer to a request while it is put together.
private struct PushPart {
    let request: PushRequest
    /// Authors of the post of a request for one.
    var actors: [UserID] = []
    private var posts: [PostID] = []
    private var apart: [PostID] = []
    private var members: [UserID] = []
    /// Authors whose followers are still to be read.
    private var waiting: ArraySlice<UserID> = []
    private var position: Int64 = 0
    private var next: AudienceCursor?

    init(_ request: PushRequest) {
        self.request = request
        // Several posts concern the followers of their author alone.
        if request.posts.count > 1 { actors = [request.author] }
    }

    private var isOfOne: Bool { request.posts.count == 1 }

    /// Adds a live post. Of several, those with more authors are included only if they had none at the start: a later
    /// author leaves a job of its own.
    mutating func add(_ post: PostID, isShared: Bool) {
        if !isOfOne, isShared, request.cursor == .start { apart.append(post) } else { posts.append(post) }
    }

    /// Leaves out suspended authors, and hubs, whose followers pull. Authors come before all others, so that a writer
    /// reads its own write.
    mutating func resolve(live: Set<UserID>, isPushed: (UserID) -> Bool) {
        let authors = actors.filter(live.contains)
        if !isOfOne, authors.isEmpty { posts = [] }
        guard !posts.isEmpty else { return }
        if request.cursor == .start { members = authors }
        waiting = authors.filter(isPushed)[...]
        position = start
    }

    private var start: Int64 {
        guard let actor = waiting.first else { return 0 }
        return !isOfOne || actor.rawValue == request.cursor.author ? request.cursor.position : 0
    }

    var isOpen: Bool { next == nil && !waiting.isEmpty }

    /// The arguments of the query for followers of the next author.
    func nextFollowers(_ limit: Int) -> [SQLValue] {
        [.user(waiting.first ?? request.author), .integer(start), .integer(Int64(max(limit - members.count, 0)))]
    }

    mutating func add(_ follower: UserID, at place: Int64) {
        members.append(follower)
        position = place
    }

    /// Goes on with the next author, or ends a full part. A position of 0 would begin the author again.
    mutating func finishActor(_ limit: Int) {
        guard let actor = waiting.popFirst() else { return }
        if members.count >= limit { next = AudienceCursor(author: actor.rawValue, position: max(position, 1)) }
        position = start
    }

    var audience: PushAudience { PushAudience(posts: posts, apart: apart, members: members, next: next) }
}
