@testable import SocialGraph
import Database

/// The graph's behaviour in plain collections: slow, without SQL, and short enough to verify by reading. Its writes
/// throw the errors of the graph's refusals.
struct ReferenceGraph {
    struct Post {
        let id: PostID
        let author: UserID
        var collaborators: [UserID: Collaborator.Status]
        let tags: [String]
        let category: String?
        let visibility: PostVisibility
        let community: CommunityID?
        /// True if the post was written while the community was private.
        var isForMembers = false
        var isTakenDown = false
        var isRemoved = false
        var isHeld = false

        var authors: [UserID] {
            [author] + collaborators.filter { $0.value == .accepted }.map(\.key).sorted()
        }
        /// The folded names of its category and tags.
        var topics: Set<String> { Set((tags + [category].compactMap(\.self)).map { $0.lowercased() }) }
    }

    struct Mute {
        let user: UserID
        var kinds: MuteKinds
        /// Nil: it does not expire.
        var expiresAt: Int64?
    }

    struct Act: Equatable {
        let id: Int64
        let user: UserID
        let post: PostID

        var entry: FeedEntry { FeedEntry(position: FeedPosition(rawValue: id), post: post) }
    }

    struct Group {
        var isPrivate: Bool
        var isLocked = false
        var isArchived = false
        var members: [UserID: Membership] = [:]
        /// Users in the order in which they joined, former members included.
        var joined: [UserID] = []
        var banned: Set<UserID> = []
        /// The memberships that bans have ended.
        var ended: [UserID: Membership] = [:]
        /// Pinned posts in the order of their pins.
        var pins: [PostID] = []
    }

    /// Deliberate errors, each of which the comparison with this model must notice.
    enum Defect: CaseIterable {
        case forgetsCoauthors, keepsUnfollowedPosts, showsDeletedPosts, cursorIsInclusive, countsTwice, forgetsOwnPosts
        case followersOldestFirst, invitationsAreAccepted, followersAccept, leavingKeepsAuthors
        case blockHidesOneWay, blockKeepsFollows, blockKeepsCollaborations, unblockRestoresFollows
        case mutesNeverEnd, muteOfPostsIsIgnored, muteOfPostsSparesCoauthors, muteOfResharesIsIgnored
        case muteOfAnythingMutesPosts
        case forgetsReshares, forgetsOwnReshares, latestReshareCounts, reshareOutranksAuthor, unreshareIsForgotten
        case followersOnlyIsPublic, followersOnlyHidesOwn, topicSwitchIsIgnored, topicsAreTagsAlone
        case communitySwitchIsIgnored, privateIsPublic, openedShowsAll, bannedStillSee, removalIsIgnored,
            removalHidesFromAuthors
        case takenDownIsShown, lockIsIgnored, roleIsIgnored, pinsOutliveTheirPosts
        case deletedKeepFollowing, deletedKeepSharing, ownershipEnds
        case suspensionIsIgnored, suspendedAreReasons, suspendedPartnersAreHidden, silenceIsIgnored, silenceHidesAll
        case heldIsShown, archiveIsIgnored, suspendedAreListed
        case privateIsOpen, privateHidesInCommunities, requestsAreFollows, openingKeepsRequests, declineKeepsRequests
        case hubsArePushed, returningIsPulled, hubsReturnAtTheThreshold
    }

    let defect: Defect?
    var users: [UserID] = []
    var names: [String: UserID] = [:]
    /// Users who accept invitations by authors they follow.
    var accepting: Set<UserID> = []
    /// Followees of each user, oldest first.
    var following: [UserID: [UserID]] = [:]
    var followers: [UserID: [UserID]] = [:]
    var everFollowed: [UserID: Set<UserID>] = [:]
    /// Posts that are not deleted, oldest first.
    var posts: [Post] = []
    /// Reshares, oldest first. Those of a deleted post stay until they are purged.
    var reshares: [Act] = []
    var postsCount: [UserID: Int] = [:]
    /// Blocked users of each user, oldest first.
    var blocks: [UserID: [UserID]] = [:]
    var mutes: [UserID: [Mute]] = [:]
    /// The time of the history, in milliseconds since 1970.
    var now: Int64 = 0
    var topics: [UserID: [(name: String, isInHome: Bool)]] = [:]
    var topicsInHome: [UserID: Bool] = [:]
    var communitiesInHome: [UserID: Bool] = [:]
    var communities: [CommunityID: Group] = [:]
    var suspended: Set<UserID> = []
    var silenced: Set<UserID> = []
    /// Users whose accounts are private.
    var secluded: Set<UserID> = []
    /// Waiting requests to follow, the oldest first.
    var requests: [Request] = []
    var hubs: [UserID: HubPhase] = [:]
    var hubThreshold: Int64 = 0

    init(defect: Defect? = nil) { self.defect = defect }

    mutating func add(_ user: UserID, named name: String, accepting acceptance: AutoAcceptance = .nobody) {
        if acceptance == .following { accepting.insert(user) }
        users.append(user)
        names[name.lowercased()] = user
    }

    // MARK: Follows

    func follows(_ follower: UserID, _ followee: UserID) -> Bool { following[follower, default: []].contains(followee) }

    /// Adds a follow, or asks for one.
    mutating func follow(_ follower: UserID, _ followee: UserID) throws -> FollowOutcome {
        guard !suspended.contains(followee), !blocks[followee, default: []].contains(follower) else {
            throw GraphError.accountNotFound
        }
        guard !isBlocked(follower, followee) else { throw GraphError.notAllowed }
        if follows(follower, followee) { return .following(isNew: false) }
        if secluded.contains(followee), defect != .requestsAreFollows {
            let isNew = !isRequested(follower, followee)
            if isNew { requests.append(Request(follower: follower, followee: followee)) }
            return .requested(isNew: isNew)
        }
        _ = removeRequest(follower, followee)
        return .following(isNew: try connect(follower, followee))
    }

    /// Adds a follow like an import, which ignores suspensions.
    mutating func connect(_ follower: UserID, _ followee: UserID) throws -> Bool {
        guard !isBlocked(follower, followee) else { throw GraphError.notAllowed }
        guard !follows(follower, followee) else { return false }
        following[follower, default: []].append(followee)
        followers[followee, default: []].append(follower)
        everFollowed[follower, default: []].insert(followee)
        updateHub(followee)
        return true
    }

    /// Ends a follow, or takes a request back. Returns true if there was either.
    mutating func unfollow(_ follower: UserID, _ followee: UserID) -> Bool {
        let wasRequested = removeRequest(follower, followee)
        guard follows(follower, followee) else { return wasRequested }
        following[follower]?.removeAll { $0 == followee }
        followers[followee]?.removeAll { $0 == follower }
        updateHub(followee)
        return true
    }

    // MARK: Posts

    func index(of post: PostID) throws -> Int {
        guard let index = place(of: post) else { throw GraphError.postNotFound }
        return index
    }

    func post(_ id: PostID) -> Post? { place(of: id).map { posts[$0] } }

    /// The index of a post that is not deleted, by bisection: ids ascend in the order of publication.
    private func place(of id: PostID) -> Int? {
        var (lower, upper) = (0, posts.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if posts[middle].id < id { lower = middle + 1 } else { upper = middle }
        }
        return lower < posts.count && posts[lower].id == id ? lower : nil
    }

    /// The reason why the post cannot be published; nil if it can.
    func refusal(of post: NewPost) -> GraphError? {
        if let id = post.community {
            guard let community = communities[id] else { return .communityNotFound }
            if community.banned.contains(post.author) { return .bannedFromCommunity }
            guard let member = community.members[post.author] else { return .notMember }
            if community.isArchived, defect != .archiveIsIgnored { return .communityArchived }
            let mayPost = member.role.isModerating && defect != .roleIsIgnored || defect == .lockIsIgnored
            if community.isLocked, !mayPost { return .communityLocked }
        }
        var partners = [post.author]
        for user in post.collaborators where !partners.contains(user) {
            if isAbsent(user, for: post.author) { return .unknownCollaborator(String(user.rawValue)) }
            if partners.contains(where: { isBlocked(user, $0) }) { return .notAllowed }
            partners.append(user)
        }
        return nil
    }

    mutating func publish(_ post: NewPost, as id: PostID, isImported: Bool = false) {
        var collaborators: [UserID: Collaborator.Status] = [:]
        for user in post.collaborators {
            collaborators[user] = isImported ? .accepted : status(ofInvited: user, by: post.author)
        }
        var tags: [String] = []
        for tag in post.algorithmTags where !tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
            tags.append(tag)
        }
        let stored = Post(
            id: id, author: post.author, collaborators: collaborators, tags: tags, category: post.category,
            visibility: post.visibility, community: post.community,
            isForMembers: post.community.flatMap { communities[$0]?.isPrivate } ?? false)
        precondition(posts.last.map { $0.id < id } ?? true, "the ids of posts ascend")
        posts.append(stored)
        for author in stored.authors {
            postsCount[author, default: 0] += defect == .countsTwice ? stored.authors.count : 1
        }
    }

    mutating func delete(_ id: PostID) {
        guard defect != .showsDeletedPosts, let index = try? index(of: id) else { return }
        for author in posts[index].authors { postsCount[author, default: 0] -= 1 }
        if let community = posts[index].community, defect != .pinsOutliveTheirPosts {
            communities[community]?.pins.removeAll { $0 == id }
        }
        posts.remove(at: index)
    }

    // MARK: Collaborators

    /// An author is told no more of a user who has blocked them than of one who does not exist.
    private func isAbsent(_ user: UserID, for author: UserID) -> Bool {
        suspended.contains(user) || blocks[user, default: []].contains(author)
    }

    func status(ofInvited user: UserID, by author: UserID) -> Collaborator.Status {
        let accepts = accepting.contains(user) || defect == .followersAccept
        return accepts && follows(user, author) || defect == .invitationsAreAccepted ? .accepted : .pending
    }

    mutating func invite(_ user: UserID, to post: PostID) throws -> Collaborator.Status {
        let index = try index(of: post)
        let author = posts[index].author
        if let status = posts[index].collaborators[user] { return status }
        guard user != author else { throw GraphError.selfCollaboration }
        guard !isAbsent(user, for: author) else { throw GraphError.unknownCollaborator(String(user.rawValue)) }
        let partners = [author] + posts[index].collaborators.keys
        guard !partners.contains(where: { isBlocked(user, $0) }) else { throw GraphError.notAllowed }
        let status = status(ofInvited: user, by: author)
        posts[index].collaborators[user] = status
        if status == .accepted { postsCount[user, default: 0] += 1 }
        return status
    }

    mutating func accept(_ user: UserID, on post: PostID) throws {
        let index = try index(of: post)
        guard let status = posts[index].collaborators[user] else { throw GraphError.notInvited }
        guard status == .pending else { return }
        posts[index].collaborators[user] = .accepted
        postsCount[user, default: 0] += 1
    }

    mutating func decline(_ user: UserID, on post: PostID) throws {
        guard posts[try index(of: post)].collaborators[user] == .pending else { throw GraphError.notInvited }
        endCollaboration(of: user, on: post)
    }

    mutating func leave(_ user: UserID, _ post: PostID) throws {
        guard posts[try index(of: post)].collaborators[user] == .accepted else { throw GraphError.notCollaborator }
        if defect != .leavingKeepsAuthors { endCollaboration(of: user, on: post) }
    }

    mutating func endCollaboration(of user: UserID, on post: PostID) {
        guard let index = try? index(of: post) else { return }
        if posts[index].collaborators.removeValue(forKey: user) == .accepted { postsCount[user, default: 0] -= 1 }
    }

    // MARK: Reshares

    func reshare(of post: PostID, by user: UserID) -> Act? { reshares.first { $0.post == post && $0.user == user } }

    mutating func unreshare(_ post: PostID, by user: UserID) throws -> Bool {
        _ = try index(of: post)
        guard reshare(of: post, by: user) != nil else { return false }
        if defect != .unreshareIsForgotten { reshares.removeAll { $0.post == post && $0.user == user } }
        return true
    }
}
