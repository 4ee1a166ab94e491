import Database
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct SampleNetworkTests {
    private static let network = SampleNetwork()

    /// FNV-1a over everything in the network.
    private func digest(_ network: SampleNetwork) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0x0A) &* 0x100_0000_01B3
        }
        network.usernames.forEach(add)
        for follow in network.follows { add("\(follow.follower) \(follow.followee)") }
        for post in network.posts {
            add("\(post.author) \(post.createdAt) \(post.collaborators)")
            add(post.caption)
            add(post.mediaURL)
            add(post.category)
            post.tags.forEach(add)
        }
        return hash
    }

    @Test
    func `the same seed gives the same network, in every process`() {
        #expect(SampleNetwork() == Self.network)
        #expect(digest(Self.network) == 9_885_990_622_099_457_510)
        #expect(SampleNetwork(seed: 1) != Self.network)
    }

    @Test
    func `it has the size that is promised and nothing twice`() {
        let network = Self.network
        #expect(network.usernames.count == 2_000)
        #expect(Set(network.usernames).count == 2_000)
        #expect(network.follows.count == 60_000)
        #expect(Set(network.follows).count == 60_000)
        #expect(network.follows.allSatisfy { $0.follower != $0.followee })
        #expect(Set(network.follows.map(\.follower)).count == 2_000)
        #expect(network.posts.count == 8_000)
        #expect(Set(network.posts.map(\.mediaURL)).count == 8_000)
        #expect(Set(network.posts.map(\.category)).count == 8)
    }

    @Test
    func `degrees have a long tail and some follows are mutual`() {
        let network = Self.network
        var followers = [Int](repeating: 0, count: 2_000)
        for follow in network.follows { followers[follow.followee] += 1 }
        let sorted = followers.sorted(by: >)
        #expect(sorted[0] > 300)
        #expect(sorted.prefix(200).reduce(0, +) > 60_000 * 3 / 10)
        #expect(sorted[1_000] < 30)
        let all = Set(network.follows)
        let mutual = all.count { all.contains(SampleNetwork.Follow(follower: $0.followee, followee: $0.follower)) }
        #expect((15...60).contains(mutual * 100 / all.count))
    }

    @Test
    func `posts are in order, within sixty days, and within the limits of a post`() throws {
        let posts = Self.network.posts
        #expect(posts.map(\.createdAt) == posts.map(\.createdAt).sorted())
        #expect(posts[0].createdAt >= SampleNetwork.end - 60 * 86_400_000)
        #expect(posts[7_999].createdAt < SampleNetwork.end)
        for post in posts {
            #expect(try TextRules.url(post.mediaURL, field: "mediaUrl") == post.mediaURL)
            #expect((1...4).contains(post.tags.count) && Set(post.tags).count == post.tags.count)
            #expect(!post.collaborators.contains(post.author))
        }
        for name in Self.network.usernames { #expect(try TextRules.username(name, field: "username") == name) }
    }

    @Test
    func `reshares are of posts by people who are followed; communities have their owner and members once`() {
        let network = Self.network
        #expect(network.reshares.count > 1_500)
        let follows = Set(network.follows)
        for reshare in network.reshares {
            let author = network.posts[reshare.post].author
            #expect(follows.contains(SampleNetwork.Follow(follower: reshare.person, followee: author)))
        }
        #expect(network.communities.count == 8)
        for community in network.communities {
            #expect(community.members.count > 50 && Set(community.members).count == community.members.count)
            #expect(!community.topicFollowers.isEmpty)
            #expect(Set(community.topicFollowers).isSubset(of: community.members))
        }
    }

    @Test
    func `it is written as it is`() async throws {
        let network = SampleNetwork(seed: 3, size: .init(people: 60, follows: 800, posts: 300, days: 5))
        try await withGraph { graph in
            try await network.write(into: graph)
            #expect(try await graph.integers("SELECT COUNT(*) FROM account") == [60])
            #expect(try await graph.integers("SELECT COUNT(*) FROM follow") == [800])
            #expect(
                try await graph.integers("SELECT created_at FROM post ORDER BY id") == network.posts.map(\.createdAt))
            let accepted = try await graph.integers("SELECT COUNT(*) FROM post_collaborator WHERE status = 'accepted'")
            #expect(accepted == [Int64(network.posts.count { !$0.collaborators.isEmpty })])
            #expect(accepted[0] > 0)
            #expect(try await graph.integers("SELECT COUNT(*) FROM reshare") == [Int64(network.reshares.count)])
            #expect(try await graph.integers("SELECT COUNT(*) FROM post_like") == [Int64(network.likes.count)])
            #expect(try await graph.integers("SELECT COUNT(*) FROM comment") == [Int64(network.comments.count)])
            #expect(try await graph.integers("SELECT COUNT(*) FROM community") == [8])
            #expect(
                try await graph.integers("SELECT COUNT(*) FROM community_member")
                    == [Int64(network.communities.reduce(0) { $0 + $1.members.count })])
            #expect(
                try await graph.integers("SELECT COUNT(*) FROM topic_follow")
                    == [Int64(network.communities.reduce(0) { $0 + $1.topicFollowers.count })])
        }
    }

    @Test
    func `a created network ends today, and two people can sign in`() async throws {
        let network = SampleNetwork(seed: 3, size: .init(people: 60, follows: 800, posts: 300, days: 5))
        try await withGraph { graph in
            #expect(try await SampleSignIn.stored(in: graph) == nil)
            try await network.create(in: graph)
            let age = SystemClock.milliseconds() - (try await graph.integers("SELECT MAX(created_at) FROM post"))[0]
            #expect((0...86_400_000).contains(age))
            let signIn = try #require(try await SampleSignIn.stored(in: graph))
            #expect(signIn.emails.count == 2)
            for email in signIn.emails {
                let hash = try #require(try await graph.accounts.credentials(email: email)?.passwordHash)
                #expect(try await PasswordHasher().verify(signIn.password, against: hash, for: WorkCaller(.server)))
            }
            #expect(
                try await graph.integers("SELECT COUNT(*) FROM account WHERE password_hash IS NOT NULL") == [2])
            #expect(try await graph.integers("SELECT COUNT(*) FROM account WHERE display_name = ''") == [0])
        }
    }
}
