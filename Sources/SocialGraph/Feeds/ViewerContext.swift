import Database

/// Everything about a reader that decides what the reader sees: what the visibility rule asks, apart from the post.
package struct ViewerContext: Sendable {
    package struct Topic: Sendable, Equatable {
        package let id: TopicID
        package let name: String
        package let isInHome: Bool
    }

    package let viewer: UserID
    /// Ascending; without those whose account has been deleted, and without the suspended.
    package let followees: [UserID]
    package let mutedPosts: Set<UserID>
    package let mutedReshares: Set<UserID>
    /// Blocked by the reader, or blocking the reader: not told apart.
    package let blocked: Set<UserID>
    package let topics: [Topic]
    package let memberships: [CommunityID: Membership]
    package let bannedFrom: Set<CommunityID>
    package let topicsInHome: Bool
    package let communitiesInHome: Bool
    /// Folded names of the selected algorithm tags.
    package let selectedAlgorithms: [String]

    /// Ascending: the topics that are merged into the home timeline.
    package let homeTopics: [TopicID]
    /// Ascending: the communities that are merged into the home timeline.
    package let homeCommunities: [CommunityID]

    /// Followed all the same, but reasons for nothing until they are reinstated.
    package var suspendedFollowees: [UserID] = []
    package var isSuspended = false

    package func follows(_ user: UserID) -> Bool { followees.binaryContains(user) }

    var actors: ActorSet {
        ActorSet(
            viewer: viewer, followees: followees, withoutReshares: mutedReshares,
            leavingOut: isSuspended ? [viewer] : [])
    }

    /// An approximate size, in units of one followee, for a cache.
    package var weight: Int {
        followees.count + mutedPosts.count + mutedReshares.count + blocked.count + topics.count * 4
            + memberships.count * 4 + 16
    }
}

extension FeedStore {
    /// Of a user who does not exist, that of somebody who has done nothing.
    package func viewerContext(of viewer: UserID) async throws -> ViewerContext {
        try await database.read { try Reader($0).viewerContext(of: viewer) }
    }
}

extension FeedStore.Reader {
    func viewerContext(of viewer: UserID) throws -> ViewerContext {
        let switches = try TopicStore.Reader(reader).homeSwitches(of: viewer)
        var (posts, reshares): (Set<UserID>, Set<UserID>) = ([], [])
        try reader.forEach(Self.contextMutesQuery, [.user(viewer)]) { row in
            let muted = UserID(rawValue: row.integer(0))
            if row.integer(1) != 0 { posts.insert(muted) }
            if row.integer(2) != 0 { reshares.insert(muted) }
            return true
        }
        let topics = try reader.rows(Self.contextTopicsQuery, [.user(viewer)]) {
            ViewerContext.Topic(
                id: TopicID(rawValue: $0.integer(0)), name: $0.text(1), isInHome: $0.integer(2) != 0)
        }
        let memberships = try reader.rows(Self.contextMembershipsQuery, [.user(viewer)], Membership.init(row:))
        let suspended = try AccountStore.Reader(reader).suspended()
        let followees = try liveFollowees(of: viewer)
        return ViewerContext(
            viewer: viewer, followees: followees.filter { !suspended.binaryContains($0) }, mutedPosts: posts,
            mutedReshares: reshares,
            blocked: Set(try reader.rows(Self.contextBlocksQuery, [.user(viewer)]) { UserID(rawValue: $0.integer(0)) }),
            topics: topics,
            memberships: Dictionary(memberships.map { ($0.community, $0) }) { first, _ in first },
            bannedFrom: Set(
                try reader.rows(Self.contextBansQuery, [.user(viewer)]) { CommunityID(rawValue: $0.integer(0)) }),
            topicsInHome: switches.topics, communitiesInHome: switches.communities,
            selectedAlgorithms: try reader.rows(Self.contextSelectionQuery, [.user(viewer)]) { $0.text(0) },
            homeTopics: switches.topics ? topics.filter(\.isInHome).map(\.id).sorted() : [],
            homeCommunities: switches.communities
                ? memberships.filter(\.isInHome).map(\.community).sorted() : [],
            suspendedFollowees: suspended.filter(followees.binaryContains),
            isSuspended: suspended.binaryContains(viewer))
    }

    /// A follow of somebody who is being erased is a reason for nothing any more.
    private func liveFollowees(of user: UserID) throws -> [UserID] {
        let all = try FollowStore.Reader(reader).followees(of: user)
        let erased = Set(try reader.rows(ErasureStore.erasuresQuery, []) { UserID(rawValue: $0.integer(0)) })
        return erased.isEmpty ? all : all.filter { !erased.contains($0) }
    }

    static let contextMutesQuery = "SELECT muted_id, posts, reshares FROM mute WHERE muter_id = ?1"
    static let contextBlocksQuery = """
        SELECT blocked_id FROM block WHERE blocker_id = ?1
        UNION ALL SELECT blocker_id FROM block WHERE blocked_id = ?1
        """
    static let contextTopicsQuery = """
        SELECT t.id, f.name, f.in_home FROM topic_follow f JOIN topic t ON t.topic_key = f.topic_key
        WHERE f.user_id = ?1
        """
    static let contextMembershipsQuery =
        "SELECT community_id, role, in_home FROM community_member WHERE user_id = ?1"
    static let contextBansQuery = "SELECT community_id FROM community_ban WHERE user_id = ?1"
    static let contextSelectionQuery = "SELECT tag_key FROM selected_algorithm WHERE user_id = ?1 ORDER BY ordinal"
}
