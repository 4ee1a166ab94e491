import Database
import Discovery
import Saves
import SocialGraph
import TestSupport
import Testing
import Text

@testable import Timeline

/// Moderation hides content on every path at once, and its reversal restores everything.
@Suite(.timeLimit(.process))
struct ModerationReadingTests {
    @Test(.redisServer, arguments: [false, true])
    func `a suspension hides on every path at once, lets later reasons count, and its end brings back every page`(
        whileStopped: Bool
    ) async throws {
        try await withTimeline { harness async throws in
            let scene = try await Scene(harness)
            let before = try await scene.sight(of: scene.fan)
            #expect(before.values.allSatisfy { !$0.isEmpty })
            #expect(before["home"]?.contains("\(scene.first.rawValue)@\(scene.firstReshare)") == true)

            func act(_ isSuspended: Bool) async throws {
                if whileStopped { await harness.stop() }
                try await harness.graph.setSuspended(isSuspended, scene.star)
                if whileStopped { try await harness.restartService() }
            }
            try await act(true)
            // Checks before and after the windows have been rebuilt.
            for _ in 0..<2 {
                for reader in [scene.fan, scene.stranger] {
                    for (path, tokens) in try await scene.sight(of: reader) {
                        #expect(Set(tokens).isDisjoint(with: scene.ofTheStar), "\(path) of \(reader)")
                    }
                }
                let home = try await scene.sight(of: scene.fan)["home"] ?? []
                // The second reshare counts, and the follower of the partner has the post that the star and the partner
                // made together.
                #expect(home.contains("\(scene.first.rawValue)@\(scene.secondReshare)"))
                #expect(home.contains("\(scene.together.rawValue)@\(scene.togetherReshare)"))
                let told = try await harness.timelines.explainer.whyForModerators(scene.solo, of: scene.fan)
                #expect(told.grounds.map(\.kind) == ["suspended"])
                try await scene.verifyClean()
            }
            try await act(false)
            #expect(try await scene.sight(of: scene.fan) == before)
            try await scene.verifyClean()
            #expect(try await scene.sight(of: scene.fan) == before)
        }
    }

    @Test(.redisServer)
    func `the silenced are there for their followers and themselves, in no feed of everybody's`() async throws {
        try await withTimeline { harness async throws in
            let scene = try await Scene(harness)
            let before = try await scene.sight(of: scene.fan)
            let beforeOfStranger = try await scene.sight(of: scene.stranger)
            try await harness.graph.setSilenced(true, scene.star)
            for (path, tokens) in try await scene.sight(of: scene.stranger) where path != "followers" {
                #expect(Set(tokens).isDisjoint(with: scene.bySilenced), "\(path) of a stranger")
            }
            let during = try await scene.sight(of: scene.fan)
            for path in ["home", "posts", "comments", "notifications"] { #expect(during[path] == before[path]) }
            for path in ["everything", "community", "ranked"] {
                #expect(Set(during[path] ?? []).isDisjoint(with: scene.bySilenced), "\(path)")
            }
            // A post with an author who is not silenced is also shown.
            #expect(during["everything"]?.contains("\(scene.together.rawValue)") == true)
            #expect(try await harness.timelines.posts.post(scene.solo, for: scene.star) != nil)
            try await harness.graph.setSilenced(false, scene.star)
            #expect(try await scene.sight(of: scene.fan) == before)
            #expect(try await scene.sight(of: scene.stranger) == beforeOfStranger)
            try await scene.verifyClean()
        }
    }

    @Test(.redisServer)
    func `what is held is seen by its author by itself, and stands at its own place when it is let out`() async throws {
        try await withTimeline { harness async throws in
            let (scene, timelines) = (try await Scene(harness), harness.timelines)
            let before = try await scene.sight(of: scene.fan)
            try await harness.graph.setHeld(true, scene.solo)
            for viewer in [scene.fan, scene.star] {
                let sight = try await scene.sight(of: viewer)
                for (path, tokens) in sight where !(viewer == scene.star && ["posts", "notifications"].contains(path)) {
                    let isThere = tokens.contains { $0.split(separator: "@").first == "\(scene.solo.rawValue)" }
                    #expect(!isThere, "\(path) of \(viewer)")
                }
            }
            #expect(try await timelines.posts.post(scene.solo, for: scene.star) != nil)
            #expect(try await timelines.explainer.why(scene.solo, for: scene.star).grounds.map(\.kind) == ["held"])
            await #expect(throws: GraphError.postNotFound) {
                try await timelines.explainer.why(scene.solo, for: scene.fan)
            }
            try await harness.graph.setHeld(false, scene.solo)
            #expect(try await scene.sight(of: scene.fan) == before)
            try await scene.verifyClean()
        }
    }

    @Test(.redisServer)
    func `hidden comments leave an empty place, or none, and are seen by those who may`() async throws {
        try await withTimeline { harness async throws in
            let scene = try await Scene(harness)
            let (graph, comment) = (harness.graph, scene.comment)
            /// The listed text; nil if the comment is not in the list, empty for a placeholder.
            func text(_ viewer: UserID) async throws -> String? {
                let page = try await harness.timelines.conversations.comments(
                    on: scene.gathered, .everything, for: viewer, below: nil, limit: 9)
                return page.items.first { $0.id == comment.id }?.content
            }
            func itself(_ viewer: UserID) async throws -> Bool {
                let stored = try #require(try await graph.comments.comment(comment.id))
                return try await harness.timelines.conversations.isShown(stored, to: viewer)
            }
            // The comment's author, a stranger, and the community's owner.
            let readers = [scene.star, scene.stranger, scene.host]
            let cases: [(column: String, listed: [String?], byItself: [Bool])] = [
                ("held_at", [nil, nil, nil], [true, false, false]),
                ("removed_at", [comment.content, "", comment.content], [true, false, true]),
                ("taken_down_at", ["", "", ""], [false, false, false]),
            ]
            for (column, listed, byItself) in cases {
                try await graph.setHidden(true, comment.id, column, on: scene.gathered)
                for (reader, expected) in zip(readers, zip(listed, byItself)) {
                    #expect(try await text(reader) == expected.0, "\(column) for \(reader)")
                    #expect(try await itself(reader) == expected.1, "\(column) for \(reader)")
                }
                #expect(
                    try await harness.timelines.notifications.notifications(for: scene.host, below: nil, limit: 9).items
                        .isEmpty)
                try await graph.setHidden(false, comment.id, column, on: scene.gathered)
            }
            for reader in readers { #expect(try await text(reader) == comment.content) }
            #expect(try await harness.timelines.notifications.unreadCount(of: scene.host) == 1)
        }
    }
}

/// A star with a fan, a partner and a host, and their acts.
private struct Scene {
    let harness: TimelineHarness
    let fan, star, late, partner, host, stranger: UserID
    let club: CommunityID
    /// A post by the partner, reshared by the star and then by another followee of the fan.
    let first: PostID
    let firstReshare, secondReshare: Int64
    /// A post by the star alone.
    let solo: PostID
    /// A post by the star and the partner, reshared by a followee of the fan.
    let together: PostID
    let togetherReshare: Int64
    /// A post by the host in the club, with a comment by the star.
    let gathered: PostID
    let comment: PostComment

    init(_ harness: TimelineHarness) async throws {
        self.harness = harness
        let (graph, users) = (harness.graph, try await harness.users(6))
        (fan, star, late, partner, host, stranger) = (users[0], users[1], users[2], users[3], users[4], users[5])
        for followee in [star, late] { try await graph.follows.follow(fan, followee) }
        try await graph.follows.follow(star, fan)
        club = try await graph.communities.createCommunity(name: "club", description: "", by: host).id
        for user in [fan, star] { try await graph.communities.joinCommunity(club, by: user) }
        first = try await harness.post(partner)
        for user in [star, late] { try await graph.reshares.reshare(first, by: user) }
        let reshares = try await graph.feeds.reshares(of: first, limit: 2).map(\.position.rawValue)
        (firstReshare, secondReshare) = (reshares[0], reshares[1])
        var post = NewPost.sample(star)
        post.community = club
        solo = try await graph.posts.publish(post).id
        together = try await harness.post(star, with: [partner])
        try await graph.collaborations.acceptCollaboration(on: together, by: partner)
        try await graph.reshares.reshare(together, by: late)
        togetherReshare = try await graph.feeds.reshares(of: together, limit: 1)[0].position.rawValue
        post.author = host
        gathered = try await graph.posts.publish(post).id
        comment = try await graph.comments.comment(on: gathered, by: star, content: "first!")
        // The fan gets notifications of the star and of another user.
        let own = try await harness.post(fan)
        for user in [late, star] { try await graph.likes.like(own, by: user) }
        for user in [fan, stranger] { try await graph.saves.save(solo, by: user) }
        for like in [fan, star] { try await graph.likes.like(first, by: like) }
        try await harness.waitForJobs()
        try await harness.warm(users)
    }

    /// Tokens of the star and of posts by the star alone.
    var ofTheStar: Set<String> {
        ["\(solo.rawValue)", "\(solo.rawValue)@\(solo.rawValue)", "user \(star.rawValue)", comment.content]
    }

    var bySilenced: Set<String> { ofTheStar.subtracting(["user \(star.rawValue)"]) }

    /// The content that a reader sees, path by path.
    func sight(of viewer: UserID) async throws -> [String: [String]] {
        let (timelines, graph) = (harness.timelines, harness.graph)
        let all = [first, solo, together, gathered]
        func ids(_ page: TimelinePage) -> [String] { page.items.map { "\($0.post.id.rawValue)" } }
        func user(_ id: UserID) -> String { "user \(id.rawValue)" }
        let home = try await timelines.home.page(of: viewer, below: nil, limit: 50)
        let page = try? await timelines.feeds.author(star, for: viewer, below: nil, limit: 50)
        let groups = try await timelines.notifications.groups(for: viewer, below: nil, limit: 50).items
        let told = try await timelines.notifications.notifications(for: viewer, below: nil, limit: 50).items
        let unread = try await timelines.notifications.unreadCount(of: viewer)
        let found = try await graph.search.accounts(matching: SearchWords("user1"), for: viewer, limit: 9)
        return [
            "home": home.items.map { "\($0.post.id.rawValue)@\($0.position.rawValue)" },
            "everything": ids(try await timelines.feeds.everything(for: viewer, below: nil, limit: 50)),
            "community": ids(try await timelines.feeds.community(club, for: viewer, below: nil, limit: 50)),
            "author": page.map(ids) ?? ["not found"],
            "posts": try await timelines.posts.shown(all, to: viewer).map { $0.map { "\($0.id.rawValue)" } ?? "-" },
            "listed": try await timelines.lists.listed(all, for: viewer).map {
                $0.map { "\($0.post.id.rawValue)" } ?? "-"
            },
            "ranked": try await timelines.lists.ranked(all, for: viewer).map {
                $0.map { "\($0.post.id.rawValue)" } ?? "-"
            },
            "saves": ["saved"]
                + (try await timelines.saves.saves(of: viewer, below: nil, limit: 9).items.map {
                    "\($0.post.id.rawValue)"
                }),
            "comments": ["comments"]
                + (try await timelines.conversations.firstComments(on: gathered, for: viewer, above: nil, limit: 9)
                .items)
                .map(\.content),
            "notifications": ["\(unread) unread"] + told.map { user($0.actor) }
                + groups.flatMap { ["\($0.actorsCount) actors"] + $0.actors.map { user($0.id) } },
            "likes": ["likes"]
                + (try await graph.likes.likes(of: first, below: nil, limit: 9).items.map { user($0.user) }),
            "followers": ["followers"]
                + (try await graph.follows.followList(of: fan, .followers, below: nil, limit: 9).items.map {
                    user($0.user)
                }),
            "members": try await graph.communities.members(of: club, below: nil, limit: 9).items.map { user($0.user) },
            "search": ["found"] + found.map { user($0.id) },
        ]
    }

    func verifyClean() async throws {
        try await harness.waitUntilUp()
        try await harness.waitForJobs()
        let report = try await harness.verify([fan, star, late, partner, host, stranger])
        #expect(report.isClean && report.windows > 0, "\(report)")
    }
}
