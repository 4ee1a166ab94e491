import Database
import Moderation
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WhyTests {
    private func why(_ harness: TimelineHarness, _ post: PostID, _ viewer: UserID) async throws -> [String] {
        let verdict = try await harness.timelines.explainer.why(post, for: viewer)
        #expect(!verdict.grounds.isEmpty && verdict.grounds.allSatisfy { !$0.text.isEmpty })
        return (verdict.isVisible ? ["visible"] : []) + verdict.grounds.map(\.kind)
    }

    @Test(.redisServer)
    func `every way in has its kind`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(6))
            let (me, friend, other, stranger) = (users[0], users[1], users[2], users[3])
            try await graph.follows.follow(me, friend)
            try await graph.follows.follow(other, stranger)
            let club = try await graph.communities.createCommunity(name: "club", description: "", by: stranger).id
            try await graph.communities.joinCommunity(club, by: me)
            try await graph.topics.followTopic("AI", by: me)
            var inClub = NewPost.sample(stranger)
            inClub.community = club
            let tagged = try await graph.posts.publish(.sample(stranger, tags: ["ai"])).id
            let gathered = try await graph.posts.publish(inClub).id
            let together = try await harness.post(stranger, with: [friend])
            try await graph.collaborations.acceptCollaboration(on: together, by: friend)
            let reshared = try await harness.post(other)
            try await graph.reshares.reshare(reshared, by: friend)
            let again = try await harness.post(other)
            try await graph.reshares.reshare(again, by: me)
            let expected = [
                try await harness.post(me): ["own"], try await harness.post(friend): ["follows"],
                together: ["collaborator"], reshared: ["reshare"], again: ["own"], tagged: ["topic"],
                gathered: ["community"],
            ]
            try await harness.waitForJobs()
            for (post, kinds) in expected { #expect(try await why(harness, post, me) == ["visible"] + kinds) }
            #expect(try await why(harness, try await harness.post(other), me) == ["not_followed"])
            // All reasons at once.
            inClub.author = friend
            try await graph.communities.joinCommunity(club, by: friend)
            (inClub.algorithmTags, inClub.category) = (["AI"], "ai")
            let all = try await graph.posts.publish(inClub).id
            try await harness.waitForJobs()
            #expect(try await why(harness, all, me) == ["visible", "follows", "topic", "community"])
        }
    }

    @Test(.redisServer)
    func `a post that can be opened and is not in home has a reason`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (me, friend) = (users[0], users[1])
            try await graph.follows.follow(me, friend)
            try await graph.blocksAndMutes.mute(me, friend, .posts)
            #expect(try await why(harness, try await harness.post(friend), me) == ["muted"])
            let held = try await harness.post(me)
            try await graph.setHeld(true, held)
            #expect(try await why(harness, held, me) == ["held"])
            await #expect(throws: GraphError.postNotFound) {
                try await harness.timelines.explainer.why(PostID(rawValue: 1), for: me)
            }
        }
    }

    @Test(.redisServer)
    func `in every state of a post and for every reader, why is refused exactly where the post is`() async throws {
        try await withTimeline { harness async throws in
            let cast = try await Cast(harness)
            var (opened, refused) = (0, 0)
            let kinds: [PostState: String] = [
                .deleted: "deleted", .takenDown: "taken_down", .held: "held", .removed: "removed",
                .suspended: "suspended", .silenced: "silenced", .blockedByAuthor: "blocked",
                .blockedByReader: "blocked", .followersOnly: "followers_only", .privateCommunity: "private",
            ]
            for state in PostState.allCases {
                let post = try await cast.post(in: state)
                try await harness.waitForJobs()
                for reader in cast.readers {
                    if try await harness.timelines.posts.post(post, for: reader.user) != nil {
                        opened += 1
                        let kinds = try await why(harness, post, reader.user)
                        #expect(!kinds.isEmpty, "\(state), \(reader.name)")
                    } else {
                        refused += 1
                        await #expect(throws: GraphError.postNotFound, "\(state), \(reader.name)") {
                            try await harness.timelines.explainer.why(post, for: reader.user)
                        }
                        // Moderators of the site get the reasons.
                        let told = try await harness.timelines.explainer.whyForModerators(post, of: reader.user)
                        let isBan = reader.name == "banned" && (state == .removed || state == .privateCommunity)
                        let expected = try #require(isBan ? "banned" : kinds[state])
                        #expect(!told.isVisible && told.grounds.map(\.kind) == [expected], "\(state), \(reader.name)")
                    }
                }
                try await cast.restore(from: state)
            }
            // Both outcomes must occur, or nothing was tested.
            #expect(opened > 20 && refused > 20)
        }
    }

    @Test(.redisServer)
    func `what is near is named once: switches that are off, muted reshares`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (me, friend, stranger) = (users[0], users[1], users[2])
            try await graph.follows.follow(me, friend)
            let club = try await graph.communities.createCommunity(name: "club", description: "", by: stranger).id
            try await graph.communities.joinCommunity(club, by: me)
            try await graph.communities.setCommunity(club, isInHome: false, for: me)
            try await graph.topics.followTopic("AI", by: me, isInHome: false)
            try await graph.blocksAndMutes.mute(me, friend, .reshares)
            var post = NewPost.sample(stranger)
            (post.community, post.algorithmTags, post.category) = (club, ["ai"], "AI")
            let id = try await graph.posts.publish(post).id
            try await graph.reshares.reshare(id, by: friend)
            #expect(
                try await why(harness, id, me) == ["not_followed", "switched_off", "switched_off", "reshares_muted"])
            try await graph.blocksAndMutes.mute(me, friend, [])
            #expect(try await why(harness, id, me) == ["visible", "reshare"])
        }
    }

    @Test(.redisServer)
    func `a post on its way is said to be, and one that a filter hides is said to be hidden by it`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.follows.follow(users[0], users[1])
            let first = try await harness.graph.posts.publish(.sample(users[1], tags: ["AI"])).id
            try await harness.waitForJobs()
            try await harness.warm(users)
            let matching = try await harness.timelines.filters.filter(category: nil, algorithms: ["ai"])
            let verdict = try await harness.timelines.explainer.why(first, for: users[0], filter: matching)
            #expect(verdict.isVisible && verdict.grounds.map(\.kind) == ["follows", "algorithm"])
            for filter in [
                try await harness.timelines.filters.filter(category: "AI", algorithms: nil),
                try await harness.timelines.filters.filter(category: nil, algorithms: ["never"]),
                try await harness.timelines.filters.filter(category: "never", algorithms: ["AI"]),
            ] {
                let verdict = try await harness.timelines.explainer.why(first, for: users[0], filter: filter)
                #expect(!verdict.isVisible && verdict.grounds.map(\.kind) == ["filtered"])
            }
        }
    }
}

/// The states that hide a post, from some readers or from all.
private enum PostState: CaseIterable {
    case open, deleted, takenDown, held, removed, suspended, silenced, blockedByAuthor, blockedByReader, muted
    case followersOnly, privateCommunity
}

/// An author, a community of the author, and readers in different relations to both.
private struct Cast {
    struct Reader {
        let name: String
        let user: UserID
    }

    let readers: [Reader]
    private let graph: GraphStore
    private let users: [UserID]
    private let (open, closed): (CommunityID, CommunityID)

    private var author: UserID { users[0] }
    private var partner: UserID { users[1] }

    init(_ harness: TimelineHarness) async throws {
        graph = harness.graph
        users = try await harness.users(8)
        let names = ["author", "co-author", "follower", "stranger", "member", "moderator", "banned", "opponent"]
        readers = zip(names, users).map { Reader(name: $0, user: $1) }
        open = try await graph.communities.createCommunity(name: "open", description: "", by: users[0]).id
        closed = try await graph.communities.createCommunity(
            name: "closed", description: "", by: users[0], isPrivate: true
        ).id
        try await graph.follows.follow(users[2], users[0])
        for community in [open, closed] {
            for user in [users[1], users[4], users[5]] { try await graph.enter(community, by: user) }
            try await graph.communities.setRole(.moderator, of: users[5], in: community)
            try await graph.communities.setBanned(true, users[6], from: community)
        }
    }

    func post(in state: PostState) async throws -> PostID {
        let isShared = [.open, .held, .removed, .followersOnly].contains(state)
        var new = NewPost.sample(author, with: isShared ? [partner] : [])
        switch state {
        case .followersOnly: new.visibility = .followers
        case .privateCommunity: new.community = closed
        case .removed: new.community = open
        default: break
        }
        let post = try await graph.posts.publish(new).id
        if isShared { try await graph.collaborations.acceptCollaboration(on: post, by: partner) }
        switch state {
        case .open, .followersOnly, .privateCommunity: break
        case .deleted: try await graph.posts.deletePost(post, by: author)
        case .takenDown: try await graph.communities.setTakenDown(true, post: post)
        case .held: try await graph.setHeld(true, post)
        case .removed: try await graph.communities.setRemoved(true, post: post)
        case .suspended: try await graph.setSuspended(true, author)
        case .silenced: try await graph.setSilenced(true, author)
        case .blockedByAuthor: try await graph.blocksAndMutes.block(author, users[7])
        case .blockedByReader: try await graph.blocksAndMutes.block(users[7], author)
        case .muted: try await graph.blocksAndMutes.mute(users[2], author, .everything)
        }
        return post
    }

    /// Undoes the effects of `state` on people.
    func restore(from state: PostState) async throws {
        switch state {
        case .suspended: try await graph.setSuspended(false, author)
        case .silenced: try await graph.setSilenced(false, author)
        case .blockedByAuthor: try await graph.blocksAndMutes.unblock(author, users[7])
        case .blockedByReader: try await graph.blocksAndMutes.unblock(users[7], author)
        case .muted: try await graph.blocksAndMutes.mute(users[2], author, [])
        default: break
        }
    }
}
