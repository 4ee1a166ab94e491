import Database
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct ChangeLogTests {
    @Test
    func `sequences are contiguous within a process and show what another wrote as a gap`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let other = try fixture.another()
            let log = CommitLog(of: fixture.database)
            for _ in 0..<5 { try await fixture.post(ann) }
            try await other.post(ann)
            try await other.post(ann)
            for _ in 0..<5 { try await fixture.post(ann) }
            #expect(log.records.compactMap(\.sequence) == [1, 2, 3, 4, 5, 8, 9, 10, 11, 12].map { $0...$0 })
            try other.database.close()
        }
    }

    @Test(arguments: 0..<4)
    func `a request that failed does not move the sequence of its group`(failing: Int) async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let log = CommitLog(of: fixture.database)
            let unknown = NewPost.sample(ann, with: [UserID(rawValue: 3)])
            _ = try await fixture.database.inOneGroup(
                (0..<4).map { index in
                    { @Sendable () async throws -> Int in
                        let last = index == failing ? unknown : NewPost.sample(ann)
                        return try await fixture.graph.bulkPosts.publish(batch: [.sample(ann), last]).count
                    }
                })
            #expect(log.records.compactMap(\.sequence) == [1...6])
            #expect(try await fixture.graph.groups(past: 0).changes == log.changes)
            try await fixture.post(ann)
            #expect(log.records.last?.sequence == 7...7)
        }
    }

    @Test
    func `every kind of change is told with its subject and object`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let (ann, bob) = (users[0].rawValue, users[1].rawValue)
            try await fixture.graph.follows.follow(users[0], users[1])
            let told = try #require(try await fixture.integer("SELECT MAX(id) FROM notification"))
            try await fixture.graph.follows.follow(users[0], users[1])
            try await fixture.graph.follows.unfollow(users[0], users[1])
            try await fixture.graph.follows.unfollow(users[0], users[1])
            let post = try await fixture.post(users[0])
            try await fixture.graph.posts.deletePost(post, by: users[0])
            var importer = FollowImporter(graph: fixture.graph)
            try await importer.write([("user0", "user1")])
            try await importer.write([("user0", "user1")])
            #expect(
                try await fixture.graph.groups(past: 0).changes == [
                    GraphChange.followed(follower: UserID(rawValue: ann), followee: UserID(rawValue: bob)),
                    GraphChange.notified(notification: told, to: UserID(rawValue: bob)),
                    GraphChange.unfollowed(follower: UserID(rawValue: ann), followee: UserID(rawValue: bob)),
                    GraphChange.notificationsChanged(UserID(rawValue: bob)),
                    GraphChange.postPublished(post, author: UserID(rawValue: ann)),
                    GraphChange.postDeleted(post, author: UserID(rawValue: ann)),
                    GraphChange.graphImported,
                ])
        }
    }

    @Test
    func `another process reads which feeds were touched, each once a group`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let log = CommitLog(of: fixture.database)
            var post = NewPost.sample(users[0], with: [users[1]])
            post.category = "food"
            let first = post
            try await fixture.graph.follows.follow(users[1], users[0])
            _ = try await fixture.graph.bulkPosts.publish(batch: [first, first])
            let groups = try await fixture.graph.groups(past: 0)
            #expect(groups.changes == log.changes)
            let touched = try #require(groups.touched)
            #expect(Set(touched) == Set(log.records.flatMap(\.touched)))
            #expect(touched.count == Set(touched).count && touched.count >= 3)
        }
    }

    @Test
    func `feeds of every kind are stored and read back`() {
        let sources: [FeedSource] = [
            .actor(UserID(rawValue: 1)), .topic(TopicID(rawValue: .max)), .community(CommunityID(rawValue: 1 << 40)),
            .attribute(name: "näme", key: ""), .attributed(name: "b"), .everything,
        ]
        #expect(FeedSourceCoding.decode(FeedSourceCoding.encode(sources + sources)) == sources)
        #expect(FeedSourceCoding.decode([]) == [])
        for bytes: [UInt8] in [[7], [1, 0], [4, 0, 0, 0, 0, 0, 0, 0, 9, 1]] {
            #expect(FeedSourceCoding.decode(bytes) == nil)
        }
    }

    @Test(arguments: [nil, 10 * Milliseconds.minute, 7 * Milliseconds.day])
    func `pruning goes by time, keeps the latest change and never starts the sequence anew`(_ set: Int64?) async throws
    {
        try await withGraph { fixture in
            if let set { try await fixture.graph.settings.store([.streamEvents: set]) }
            let age = set ?? RetainedData.streamEvents.standard
            #expect(try await fixture.graph.changes.latestChange() == 0)
            try await fixture.graph.changes.prune()
            let ann = try await fixture.user("ann")
            for _ in 0..<3 { try await fixture.post(ann) }
            fixture.clock.advance(by: age)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT seq FROM change ORDER BY seq") == [1, 2, 3])
            try await fixture.post(ann)
            fixture.clock.advance(by: 1)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT seq FROM change ORDER BY seq") == [4])
            fixture.clock.advance(by: 2 * age)
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT seq FROM change ORDER BY seq") == [4])
            #expect(try await fixture.integers("SELECT seq FROM change_group") == [4])
            try await fixture.post(ann)
            #expect(try await fixture.graph.changes.latestChange() == 5)
            // A reader that missed pruned changes is told to forget everything. For the rest of the log, the touched
            // sources are known.
            let missed = try await fixture.graph.groups(past: 2)
            #expect(missed.changes.map(\.kind) == [nil] && missed.touched == nil)
            #expect(try await fixture.graph.groups(past: 3).touched == [.actor(ann), .actor(ann)])
        }
    }
}

extension GraphStore {
    fileprivate func groups(past known: Int64) async throws -> LoggedGroups {
        try await changes.news(past: known, jobsAbove: nil).groups
    }
}
