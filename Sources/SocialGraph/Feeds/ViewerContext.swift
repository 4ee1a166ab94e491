import Database
import Text

/// The facts about a reader on which the visibility rule depends, apart from the post.
package struct ViewerContext: Sendable {
    package struct Topic: Sendable, Equatable {
        package let id: TopicID
        package let name: String
        package let isInHome: Bool
    }

    package let viewer: UserID
    /// Ids of the followees, ascending; without deleted and suspended users.
    package let followees: [UserID]
    package let mutedPosts: Set<UserID>
    package let mutedReshares: Set<UserID>
    /// Users who have blocked the reader or whom the reader has blocked, without distinction.
    package let blocked: Set<UserID>
    package let topics: [Topic]
    package let memberships: [CommunityID: Membership]
    package let bannedFrom: Set<CommunityID>
    package let topicsInHome: Bool
    package let communitiesInHome: Bool
    /// Folded names of the selected algorithm tags.
    package let selectedAlgorithms: [String]

    /// Topics that are merged into the home timeline, ascending.
    package let homeTopics: [TopicID]
    /// Communities that are merged into the home timeline, ascending.
    package let homeCommunities: [CommunityID]

    /// Followees who are suspended: reasons for nothing until they are reinstated.
    package var suspendedFollowees: [UserID] = []
    package var isSuspended = false

    /// Nil: the reader has muted no words.
    package var mutedWords: MutedWords?

    /// The next time at which a mute or a muted word expires, and this context with it; nil: none does.
    package var nextExpiry: Int64?
    /// True if the window may lack posts at the place of their next reason: a mute of reshares has expired and is still
    /// stored, or a followee is being erased, whose posts and reshares have not been taken out yet.
    package var isAheadOfWindow = false

    package func follows(_ user: UserID) -> Bool { followees.binaryContains(user) }

    var actors: ActorSet {
        ActorSet(
            viewer: viewer, followees: followees, withoutReshares: mutedReshares,
            leavingOut: isSuspended ? [viewer] : [])
    }

    /// An approximate size, in units of one followee, for a cache.
    package var weight: Int {
        followees.count + mutedPosts.count + mutedReshares.count + blocked.count + topics.count * 4
            + memberships.count * 4 + (mutedWords?.weight ?? 0) + 16
    }
}

extension FeedStore {
    /// The context of `viewer`; an empty one if there is no such user.
    package func viewerContext(of viewer: UserID) async throws -> ViewerContext {
        let time = database.expiryTime
        return try await database.read { try Reader($0).viewerContext(of: viewer, at: time) }
    }
}

extension FeedStore.Reader {
    /// The context of `viewer` at `time`, read in one round trip.
    func viewerContext(of viewer: UserID, at time: Int64) throws -> ViewerContext {
        var parts = ContextParts(time: time)
        try reader.fetch(ContextPart.allCases.map { $0.query(of: viewer) }) { index, row in
            try parts.add(ContextPart.allCases[index], row)
            return true
        }
        return parts.context(of: viewer)
    }

    static let contextMutesQuery = "SELECT muted_id, posts, reshares, expires_at FROM mute WHERE muter_id = ?1"
    package static let contextBlocksQuery = """
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
    static let contextWordsQuery = "SELECT word, is_whole, expires_at FROM muted_word WHERE user_id = ?1"
    static let contextSelectionQuery = "SELECT tag_key FROM selected_algorithm WHERE user_id = ?1 ORDER BY ordinal"
}

/// The queries that make up a context.
private enum ContextPart: CaseIterable {
    case switches, mutes, topics, memberships, suspended, followees, erased, blocks, bans, selection, words

    func query(of viewer: UserID) -> SQLQuery {
        let own: [SQLValue] = [.user(viewer)]
        return switch self {
        case .switches: SQLQuery(TopicStore.Reader.homeSwitchesQuery, own)
        case .mutes: SQLQuery(FeedStore.Reader.contextMutesQuery, own)
        case .topics: SQLQuery(FeedStore.Reader.contextTopicsQuery, own)
        case .memberships: SQLQuery(FeedStore.Reader.contextMembershipsQuery, own)
        case .suspended: SQLQuery(AccountStore.Reader.suspendedQuery, [])
        case .followees: SQLQuery(FollowStore.Reader.followeesQuery, own)
        case .erased: SQLQuery(ErasureStore.erasuresQuery, [])
        case .blocks: SQLQuery(FeedStore.Reader.contextBlocksQuery, own)
        case .bans: SQLQuery(FeedStore.Reader.contextBansQuery, own)
        case .selection: SQLQuery(FeedStore.Reader.contextSelectionQuery, own)
        case .words: SQLQuery(FeedStore.Reader.contextWordsQuery, own)
        }
    }
}

/// The rows that the queries of a context have found.
private struct ContextParts {
    private let time: Int64
    private var nextExpiry: Int64?
    private var hasLapsedMute = false
    private var switches = (topics: true, communities: true)
    private var mutedPosts: Set<UserID> = []
    private var mutedReshares: Set<UserID> = []
    private var topics: [ViewerContext.Topic] = []
    private var memberships: [Membership] = []
    /// Ids in ascending order, like those of the followees.
    private var suspended: [UserID] = []
    private var followees: [UserID] = []
    private var erased: Set<UserID> = []
    private var blocked: Set<UserID> = []
    private var bannedFrom: Set<CommunityID> = []
    private var selection: [String] = []
    private var words: [(word: String, isWhole: Bool)] = []

    init(time: Int64) { self.time = time }

    mutating func add(_ part: ContextPart, _ row: any SQLRow) throws {
        switch part {
        case .switches: switches = TopicStore.Reader.homeSwitches(row)
        case .mutes:
            let muted = UserID(rawValue: row.integer(0))
            guard holds(until: row.optionalInteger(3)) else {
                if row.integer(2) != 0 { hasLapsedMute = true }
                return
            }
            if row.integer(1) != 0 { mutedPosts.insert(muted) }
            if row.integer(2) != 0 { mutedReshares.insert(muted) }
        case .topics:
            topics.append(
                ViewerContext.Topic(
                    id: TopicID(rawValue: row.integer(0)), name: row.text(1), isInHome: row.integer(2) != 0))
        case .memberships: memberships.append(try Membership(row: row))
        case .suspended: suspended.append(UserID(rawValue: row.integer(0)))
        case .followees: followees.append(UserID(rawValue: row.integer(0)))
        case .erased: erased.insert(UserID(rawValue: row.integer(0)))
        case .blocks: blocked.insert(UserID(rawValue: row.integer(0)))
        case .bans: bannedFrom.insert(CommunityID(rawValue: row.integer(0)))
        case .selection: selection.append(row.text(0))
        case .words:
            if holds(until: row.optionalInteger(2)) { words.append((row.text(0), row.integer(1) != 0)) }
        }
    }

    /// Returns whether something that ends at `expiry` holds, and notes the time at which it will not.
    private mutating func holds(until expiry: Int64?) -> Bool {
        guard let expiry else { return true }
        guard expiry > time else { return false }
        nextExpiry = min(nextExpiry ?? expiry, expiry)
        return true
    }

    func context(of viewer: UserID) -> ViewerContext {
        // A follow of a user who is being erased is no longer a reason.
        let followees = erased.isEmpty ? followees : followees.filter { !erased.contains($0) }
        return ViewerContext(
            viewer: viewer, followees: followees.filter { !suspended.binaryContains($0) }, mutedPosts: mutedPosts,
            mutedReshares: mutedReshares, blocked: blocked, topics: topics,
            memberships: Dictionary(memberships.map { ($0.community, $0) }) { first, _ in first },
            bannedFrom: bannedFrom, topicsInHome: switches.topics, communitiesInHome: switches.communities,
            selectedAlgorithms: selection,
            homeTopics: switches.topics ? topics.filter(\.isInHome).map(\.id).sorted() : [],
            homeCommunities: switches.communities
                ? memberships.filter(\.isInHome).map(\.community).sorted() : [],
            suspendedFollowees: suspended.filter(followees.binaryContains),
            isSuspended: suspended.binaryContains(viewer), mutedWords: MutedWords(words), nextExpiry: nextExpiry,
            isAheadOfWindow: hasLapsedMute || followees.count < self.followees.count)
    }
}
