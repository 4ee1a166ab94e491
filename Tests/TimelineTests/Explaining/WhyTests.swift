import SocialGraph
import Testing

@testable import Timeline

@Suite("Why a post is, or is not, in a home timeline", .timeLimit(.minutes(20)))
struct WhyTests {
    private func why(_ harness: TimelineHarness, _ post: PostID, _ viewer: UserID) async throws -> [String] {
        let verdict = try await harness.reader.why(post, for: viewer)
        #expect(!verdict.grounds.isEmpty && verdict.grounds.allSatisfy { !$0.text.isEmpty })
        return (verdict.isVisible ? ["visible"] : []) + verdict.grounds.map(\.kind)
    }

    @Test("every way in has its kind", .redisServer)
    func ways() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(6))
            let (me, friend, other, stranger) = (users[0], users[1], users[2], users[3])
            try await graph.follow(me, friend)
            try await graph.follow(other, stranger)
            let club = try await graph.createCommunity(name: "club", description: "", by: stranger).id
            try await graph.joinCommunity(club, by: me)
            try await graph.followTopic("AI", by: me)
            var inClub = NewPost.sample(stranger)
            inClub.community = club
            let tagged = try await graph.publish(.sample(stranger, tags: ["ai"])).id
            let gathered = try await graph.publish(inClub).id
            let together = try await harness.post(stranger, with: [friend])
            try await graph.acceptCollaboration(on: together, by: friend)
            let reshared = try await harness.post(other)
            try await graph.reshare(reshared, by: friend)
            let again = try await harness.post(other)
            try await graph.reshare(again, by: me)
            let expected = [
                try await harness.post(me): ["own"], try await harness.post(friend): ["follows"],
                together: ["collaborator"], reshared: ["reshare"], again: ["own"], tagged: ["topic"],
                gathered: ["community"],
            ]
            try await harness.settle()
            for (post, kinds) in expected { #expect(try await why(harness, post, me) == ["visible"] + kinds) }
            #expect(try await why(harness, try await harness.post(other), me) == ["not_followed"])
            // All at once.
            inClub.author = friend
            try await graph.joinCommunity(club, by: friend)
            (inClub.algorithmTags, inClub.category) = (["AI"], "ai")
            let all = try await graph.publish(inClub).id
            try await harness.settle()
            #expect(try await why(harness, all, me) == ["visible", "follows", "topic", "community"])
        }
    }

    @Test("every way out has its kind", .redisServer)
    func hidden() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(8))
            let (me, friend, stranger) = (users[0], users[1], users[2])
            try await graph.follow(me, friend)
            let deleted = try await harness.post(friend)
            try await graph.deletePost(deleted, by: friend)
            #expect(try await why(harness, deleted, me) == ["deleted"])
            let takenDown = try await harness.post(friend)
            try await graph.setTakenDown(true, post: takenDown)
            #expect(try await why(harness, takenDown, me) == ["taken_down"])
            var post = NewPost.sample(stranger)
            post.visibility = .followers
            #expect(try await why(harness, try await graph.publish(post).id, me) == ["followers_only"])
            try await graph.follow(me, users[3])
            try await graph.mute(me, users[3], .posts)
            #expect(try await why(harness, try await harness.post(users[3]), me) == ["muted"])
            try await graph.block(me, users[4])
            #expect(try await why(harness, try await harness.post(users[4]), me) == ["blocked"])
            let club = try await graph.createCommunity(name: "club", description: "", by: stranger).id
            post = .sample(stranger)
            post.community = club
            let gathered = try await graph.publish(post).id
            try await graph.setRemoved(true, post: gathered)
            #expect(try await why(harness, gathered, me) == ["removed"])
            try await graph.setBanned(true, me, from: club)
            #expect(try await why(harness, gathered, me) == ["banned"])
            await #expect(throws: GraphError.postNotFound) {
                try await harness.reader.why(PostID(rawValue: 1), for: me)
            }
        }
    }

    @Test("what is near is named once: switches that are off, muted reshares", .redisServer)
    func near() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(3))
            let (me, friend, stranger) = (users[0], users[1], users[2])
            try await graph.follow(me, friend)
            let club = try await graph.createCommunity(name: "club", description: "", by: stranger).id
            try await graph.joinCommunity(club, by: me)
            try await graph.setCommunity(club, isInHome: false, for: me)
            try await graph.followTopic("AI", by: me, isInHome: false)
            try await graph.mute(me, friend, .reshares)
            var post = NewPost.sample(stranger)
            (post.community, post.algorithmTags, post.category) = (club, ["ai"], "AI")
            let id = try await graph.publish(post).id
            try await graph.reshare(id, by: friend)
            #expect(
                try await why(harness, id, me) == ["not_followed", "switched_off", "switched_off", "reshares_muted"])
            try await graph.mute(me, friend, [])
            #expect(try await why(harness, id, me) == ["visible", "reshare"])
        }
    }

    @Test("a block by the author and a private community are one answer, byte for byte", .redisServer)
    func silence() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(5))
            let (me, blocker, partner, stranger) = (users[0], users[1], users[2], users[3])
            try await graph.follow(me, partner)
            try await graph.follow(me, blocker)
            let together = try await harness.post(partner, with: [blocker])
            try await graph.acceptCollaboration(on: together, by: blocker)
            let alone = try await harness.post(blocker)
            try await graph.reshare(alone, by: partner)
            var secret = NewPost.sample(stranger)
            secret.community = try await graph.createCommunity(
                name: "secret", description: "", by: stranger, isPrivate: true
            ).id
            let closed = try await graph.publish(secret).id
            try await graph.block(blocker, me)
            // Not even with a mute of one's own, or a follow of somebody who is an author too.
            try await graph.mute(me, blocker, .everything)
            let answers = try await [alone, together, closed].asyncMap { try await harness.reader.why($0, for: me) }
            #expect(Set(answers.map { String(describing: $0) }).count == 1)
            #expect(answers[0].grounds.map(\.kind) == ["unavailable"] && !answers[0].isVisible)
            for user in users {
                #expect(!answers[0].grounds[0].text.contains("user\(user.rawValue)"))
            }
            for name in ["user1", "user2", "user3", "secret", "block"] {
                #expect(!answers[0].grounds[0].text.lowercased().contains(name))
            }
            // Who blocks back knows of the own block alone.
            try await graph.block(me, blocker)
            #expect(try await why(harness, alone, me) == ["blocked"])
        }
    }

    @Test("a post on its way is said to be, and one that a filter hides is said to be hidden by it", .redisServer)
    func late() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            try await harness.graph.follow(users[0], users[1])
            let first = try await harness.graph.publish(.sample(users[1], tags: ["AI"])).id
            try await harness.settle()
            try await harness.warm(users)
            let matching = try await harness.reader.filter(category: nil, algorithms: ["ai"])
            let verdict = try await harness.reader.why(first, for: users[0], filter: matching)
            #expect(verdict.isVisible && verdict.grounds.map(\.kind) == ["follows", "algorithm"])
            for filter in [
                try await harness.reader.filter(category: "AI", algorithms: nil),
                try await harness.reader.filter(category: nil, algorithms: ["never"]),
                try await harness.reader.filter(category: "never", algorithms: ["AI"]),
            ] {
                let verdict = try await harness.reader.why(first, for: users[0], filter: filter)
                #expect(!verdict.isVisible && verdict.grounds.map(\.kind) == ["filtered"])
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var mapped: [T] = []
        for element in self { mapped.append(try await body(element)) }
        return mapped
    }
}
