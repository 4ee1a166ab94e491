import Database
import SocialGraph
import Testing

@Suite(.timeLimit(.minutes(20)))
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
            #expect(try await fixture.graph.changes.changes(in: 1...6) == log.changes)
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
                try await fixture.graph.changes.changes(in: 1...100) == [
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
    func `pruning keeps the newest changes and never starts the sequence anew`() async throws {
        try await withGraph { fixture in
            #expect(try await fixture.graph.changes.latestChange() == 0)
            try await fixture.graph.changes.prune()
            let kept = SocialGraphLimits.changeLogRows
            _ = try await fixture.database.write { transaction in
                try transaction.execute(
                    "INSERT INTO change (seq, kind, subject, object) VALUES (1, 1, 1, 1), (?1, 1, 2, 2), (?2, 1, 3, 3)",
                    [.integer(kept), .integer(kept + 1)])
            }
            try await fixture.graph.changes.prune()
            #expect(try await fixture.integers("SELECT seq FROM change ORDER BY seq") == [kept, kept + 1])
            try await fixture.post(fixture.user("ann"))
            #expect(try await fixture.graph.changes.latestChange() == kept + 2)
        }
    }
}
