import Database
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct PushRunnerTests {
    private func followers(_ count: Int, of author: String, _ fanout: FanoutFixture) async throws -> [UserID] {
        var importer = FollowImporter(graph: fanout.graph)
        try await importer.write((0..<count).map { ("f\($0)", author) })
        try await fanout.workOff()
        var found: [UserID] = []
        for number in 0..<count {
            found.append(try #require(try await fanout.graph.accounts.account(username: "f\(number)")).id)
        }
        try await fanout.build(found)
        return found
    }

    @Test(.redisServer)
    func `posts of one author go together, without deleted ones; one of two authors goes apart`() async throws {
        try await withFanout { fanout async throws in
            let (author, partner) = (try await fanout.user("author"), try await fanout.user("partner"))
            let fan = try await fanout.user("fan")
            let readers = try await followers(5, of: "author", fanout)
            try await fanout.graph.follows.follow(fan, partner)
            try await fanout.workOff()
            try await fanout.build([fan])
            var posts: [PostID] = []
            for _ in 0..<3 { posts.append(try await fanout.graph.posts.publish(.sample(author)).id) }
            let shared = try await fanout.graph.posts.publish(.sample(author, with: [partner])).id
            try await fanout.graph.collaborations.acceptCollaboration(on: shared, by: partner)
            try await fanout.graph.posts.deletePost(posts[1], by: author)
            let pushes = try await fanout.jobs().filter { if case .push = $0.work { true } else { false } }
            #expect(pushes.count == 4)
            let batch = try await fanout.pushes.compose([AuthorQueues.Turn(jobs: pushes, cursor: .start)])
            fanout.pushes.release(batch)
            #expect(batch.rest.map { $0.jobs.map(\.id) } == [[pushes[3].id]])
            #expect(batch.progress.map(\.job.id) == pushes[..<3].map(\.id))
            try await fanout.push(pushes)
            for reader in readers {
                #expect(try await fanout.has(posts[0], reader))
                #expect(try await fanout.has(posts[1], reader) == false)
                #expect(try await fanout.has(posts[2], reader))
                #expect(try await fanout.has(shared, reader))
            }
            #expect(try await fanout.has(shared, fan))
            #expect(try await fanout.has(posts[0], fan) == false)
        }
    }

    @Test(.redisServer)
    func `a convoy of a large audience is noted chunk by chunk, and what was cut off goes on`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            let readers = try await followers(2_300, of: "author", fanout)
            var posts: [PostID] = []
            for _ in 0..<3 { posts.append(try await fanout.graph.posts.publish(.sample(author)).id) }
            let jobs = try await fanout.jobs()
            // An audience of this size has no early members.
            fanout.pushes.recent.note(readers[2_299])
            let first = try await fanout.pushes.compose([AuthorQueues.Turn(jobs: jobs, cursor: .start)])
            try await fanout.pushes.deliver(first)
            fanout.pushes.release(first)
            let next = try #require(first.rest.first)
            #expect(first.progress.allSatisfy { $0.next == next.cursor })
            #expect(next.jobs.count == 3)
            try await fanout.graph.outbox.acknowledgeJobs(
                by: .outbox(fanout.lease.epoch), finished: [], progressed: jobs.map { ($0.id, next.cursor) })
            #expect(try await fanout.has(posts[2], readers[0]))
            #expect(try await fanout.has(posts[2], readers[2_299]) == false)
            // The next lease epoch finds three jobs with their progress.
            try await fanout.workOff()
            for post in posts {
                for reader in [0, 998, 999, 1_000, 1_999, 2_299] {
                    #expect(try await fanout.has(post, readers[reader]))
                }
            }
        }
    }

    @Test(.redisServer)
    func `a batch ends where it has enough, and what it leaves is as it was`() async throws {
        try await withFanout { fanout async throws in
            var turns: [AuthorQueues.Turn] = []
            for number in 0..<4 {
                let author = try await fanout.user("author\(number)")
                _ = try await fanout.graph.posts.publish(.sample(author))
            }
            for job in try await fanout.jobs() { turns.append(AuthorQueues.Turn(jobs: [job], cursor: .start)) }
            let requests = turns.map { turn -> PushRequest in
                guard case .push(let post, let author) = turn.job.work else { preconditionFailure() }
                return PushRequest(posts: [post], author: author, cursor: .start)
            }
            let audiences = try await fanout.graph.audiences.pushAudiences(of: requests, limit: 1_000, deliveries: 2)
            #expect(audiences.count == 2)
        }
    }
}
