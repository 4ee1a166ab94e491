@testable import SocialGraph
@testable import Timeline
import Database
import Text

/// Readers and posts as values, without a graph.
extension ViewerContext {
    static func sample(
        _ viewer: Int64 = 1, follows: [Int64] = [], mutedPosts: [Int64] = [], mutedReshares: [Int64] = [],
        blocked: [Int64] = [], bannedFrom: [Int64] = [], member: [Int64: CommunityRole] = [:],
        homeTopics: [Int64] = [], homeCommunities: [Int64] = [], mutedWords: [String] = []
    ) -> ViewerContext {
        func users(_ ids: [Int64]) -> Set<UserID> { Set(ids.map(UserID.init(rawValue:))) }
        let memberships = member.map { id, role in
            Membership(community: CommunityID(rawValue: id), role: role, isInHome: homeCommunities.contains(id))
        }
        return ViewerContext(
            viewer: UserID(rawValue: viewer), followees: follows.sorted().map(UserID.init(rawValue:)),
            mutedPosts: users(mutedPosts), mutedReshares: users(mutedReshares), blocked: users(blocked), topics: [],
            memberships: Dictionary(uniqueKeysWithValues: memberships.map { ($0.community, $0) }),
            bannedFrom: Set(bannedFrom.map(CommunityID.init(rawValue:))), topicsInHome: true, communitiesInHome: true,
            selectedAlgorithms: [], homeTopics: homeTopics.sorted().map(TopicID.init(rawValue:)),
            homeCommunities: homeCommunities.sorted().map(CommunityID.init(rawValue:)),
            mutedWords: MutedWords(mutedWords.map { ($0, true) }))
    }
}

extension PostFragment {
    /// A post by `authors`, the first of whom has published it.
    static func sample(
        _ id: Int64 = 100, by authors: [Int64] = [2], visibility: PostVisibility = .everyone,
        community: PostCommunity? = nil, category: Int64? = nil, tags: [Int64] = [],
        isHeld: Bool = false, isSilenced: Bool = false, isPrivate: Bool = false, caption: String = ""
    ) -> PostFragment {
        let post = Post(
            id: PostID(rawValue: id), author: UserID(rawValue: authors[0]), authorUsername: "", caption: caption,
            mediaURL: "", category: nil, algorithmTags: [],
            collaborators: authors.dropFirst().map {
                Collaborator(user: UserID(rawValue: $0), username: "", status: .accepted, isSilenced: isSilenced)
            }, link: nil, title: nil, thumbnailURL: nil, attributes: [:], visibility: visibility, community: community,
            topics: ((category.map { [$0] } ?? []) + tags).sorted().map(TopicID.init(rawValue:)),
            categoryTopic: category.map(TopicID.init(rawValue:)),
            counts: EngagementCounts(likes: 0, comments: 0, shares: 0), createdAt: 0, updatedAt: 0,
            isHeld: isHeld, isAuthorSilenced: isSilenced, isAuthorPrivate: isPrivate)
        return PostFragment(post: post, json: [])
    }
}

extension PostCommunity {
    static func sample(_ id: Int64 = 50, isForMembers: Bool = false, isRemoved: Bool = false) -> PostCommunity {
        PostCommunity(id: CommunityID(rawValue: id), name: "", isForMembers: isForMembers, isRemoved: isRemoved)
    }
}
