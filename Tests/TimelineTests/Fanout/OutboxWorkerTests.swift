import Database
import Importing
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct OutboxWorkerTests {
    @Test(.redisServer)
    func `a fan-out that was cut off goes on from its stored progress`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            var followers: [UserID] = []
            for number in 0..<6 {
                followers.append(try await fanout.user("follower\(number)"))
                try await fanout.graph.follows.follow(followers[number], author)
            }
            try await fanout.workOff()
            try await fanout.build(followers)
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            let job = try #require(try await fanout.jobs().first)
            let chunk = try await fanout.graph.audiences.audience(of: job.work, past: .start, limit: 4)
            let half = try #require(chunk.next)
            try await fanout.graph.outbox.acknowledgeJobs(
                by: .outbox(fanout.lease.epoch), finished: [], progressed: [(job.id, half)])
            try await fanout.workOff()
            #expect(chunk.members.contains(followers[0]) && !chunk.members.contains(followers[5]))
            for (number, follower) in followers.enumerated() {
                let isBefore = chunk.members.contains(follower)
                #expect(try await fanout.has(post, follower) == !isBefore, "follower \(number)")
            }
        }
    }

    @Test(.redisServer)
    func `20,000 followers are served in chunks, none left out`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            var importer = FollowImporter(graph: fanout.graph)
            for start in stride(from: 0, to: 20_000, by: 5_000) {
                try await importer.write((start..<start + 5_000).map { ("f\($0)", "author") })
            }
            try await fanout.workOff()
            var sample: [UserID] = []
            for number in [0, 1, 997, 998, 999, 1_000, 1_001, 1_998, 1_999, 9_999, 10_000, 19_998, 19_999] {
                sample.append(try #require(try await fanout.graph.accounts.account(username: "f\(number)")).id)
            }
            try await fanout.build(sample + [author])
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            try await fanout.workOff()
            for viewer in sample + [author] { #expect(try await fanout.has(post, viewer)) }
            let cursors = fanout.progress.all
            #expect(cursors.count == 20_000 / JobRunner.audienceChunk)
            #expect(zip(cursors, cursors.dropFirst()).allSatisfy { $0.position < $1.position })
        }
    }

    @Test(.redisServer)
    func `windows that were asked for behind an eviction of all are there when the outbox is empty`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            var followers: [UserID] = []
            for number in 0..<100 {
                followers.append(try await fanout.user("follower\(number)"))
                try await fanout.graph.follows.follow(followers[number], author)
            }
            try await fanout.workOff()
            var posts: [PostID] = []
            for _ in 0..<10 {
                posts += try await fanout.graph.bulkPosts.publish(batch: [.sample(author)], fanout: .evict)
                try await fanout.graph.outbox.enqueueBuild(of: followers)
                try await fanout.workOff()
                let expected = posts.reversed().map { String($0.rawValue) } + ["0"]
                for follower in followers { #expect(try await fanout.entries(follower) == expected) }
            }
        }
    }

    @Test(.redisServer)
    func `a post deleted between two chunks ends its fan-out, and is taken out where it had come to`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            var importer = FollowImporter(graph: fanout.graph)
            try await importer.write((0..<2_500).map { ("f\($0)", "author") })
            try await fanout.workOff()
            let first = try #require(try await fanout.graph.accounts.account(username: "f0")).id
            let last = try #require(try await fanout.graph.accounts.account(username: "f2499")).id
            try await fanout.build([first, last])
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            let push = try #require(try await fanout.jobs().first)
            fanout.hooked.beforeAudience.withLock {
                $0 = { [graph = fanout.graph] _, cursor in
                    if cursor != .start { try await graph.posts.deletePost(post, by: author) }
                }
            }
            try await fanout.run(push)
            fanout.hooked.beforeAudience.withLock { $0 = nil }
            #expect(try await fanout.has(post, first))
            #expect(try await fanout.has(post, last) == false)
            try await fanout.workOff()
            #expect(try await fanout.has(post, first) == false)
        }
    }

    @Test(.redisServer)
    func `a deletion waits for a push that was composed while the post was live`() async throws {
        try await withFanout { fanout async throws in
            let (author, reader) = (try await fanout.user("author"), try await fanout.user("reader"))
            try await fanout.graph.follows.follow(reader, author)
            try await fanout.workOff()
            try await fanout.build([reader])
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            let push = try #require(try await fanout.jobs().first)
            let isFirst = Mutex(true)
            let removing = Mutex<Task<Void, any Error>?>(nil)
            // The push has read its audience. Now the deletion commits, and its job starts at once.
            fanout.hooked.afterAudience.withLock {
                $0 = { [graph = fanout.graph, fanout] _, _ in
                    guard
                        isFirst.withLock({ value in
                            defer { value = false }; return value
                        })
                    else { return }
                    try await graph.posts.deletePost(post, by: author)
                    let removal = try await graph.outbox.outboxJobs(above: push.id, limit: 1)[0]
                    removing.withLock { $0 = Task { try await fanout.run(removal) } }
                    for _ in 0..<2_000 { await Task.yield() }
                }
            }
            try await fanout.run(push)
            try await removing.withLock { $0 }?.value
            #expect(try await fanout.has(post, reader) == false)
        }
    }

    @Test(.redisServer)
    func `a post with collaborators reaches the followers of each author, and each author`() async throws {
        try await withFanout { fanout async throws in
            let (author, partner, asked) = (
                try await fanout.user("author"), try await fanout.user("partner"), try await fanout.user("asked")
            )
            let (ofAuthor, ofPartner, ofBoth, ofAsked) = (
                try await fanout.user("a"), try await fanout.user("p"), try await fanout.user("b"),
                try await fanout.user("q")
            )
            var change = ProfileChange()
            change.autoAcceptance = .following
            for user in [partner, asked] { try await fanout.graph.accounts.changeProfile(of: user, change) }
            // Followers of the author accept automatically. The user who does not follow is only invited.
            for (follower, followee) in [
                (partner, author), (ofAuthor, author), (ofPartner, partner), (ofBoth, author), (ofBoth, partner),
                (ofAsked, asked),
            ] { try await fanout.graph.follows.follow(follower, followee) }
            try await fanout.workOff()
            try await fanout.build([author, partner, asked, ofAuthor, ofPartner, ofBoth, ofAsked])
            let post = try await fanout.graph.posts.publish(.sample(author, with: [partner, asked])).id
            try await fanout.workOff()
            for viewer in [author, partner, ofAuthor, ofPartner, ofBoth] { #expect(try await fanout.has(post, viewer)) }
            for viewer in [asked, ofAsked] { #expect(try await fanout.has(post, viewer) == false) }
            // The post stays for a reader who is reached through the partner.
            try await fanout.graph.follows.unfollow(ofBoth, author)
            try await fanout.graph.follows.unfollow(ofPartner, partner)
            try await fanout.workOff()
            #expect(try await fanout.has(post, ofBoth))
            #expect(try await fanout.has(post, ofPartner) == false)
        }
    }

    @Test(.redisServer)
    func `a job that fails is repeated, and is in the outbox until it has succeeded`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            try await fanout.build([author])
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            let failures = Mutex(2)
            fanout.hooked.beforeAudience.withLock {
                $0 = { [graph = fanout.graph] _, _ in
                    #expect(try await graph.outbox.outboxDepth().pending == 1)
                    let fails = failures.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                    if fails { throw DatabaseError.storage(detail: "scripted") }
                }
            }
            try await fanout.workOff()
            #expect(failures.withLock { $0 } < 0)
            #expect(try await fanout.has(post, author))
        }
    }

    @Test(.redisServer)
    func `a post deleted between an unfollow and a new follow is taken out of the reader's window`() async throws {
        try await withFanout { fanout async throws in
            let (author, reader) = (try await fanout.user("author"), try await fanout.user("reader"))
            try await fanout.graph.follows.follow(reader, author)
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            try await fanout.workOff()
            try await fanout.build([reader])
            try await fanout.graph.follows.unfollow(reader, author)
            try await fanout.graph.posts.deletePost(post, by: author)
            let jobs = try await fanout.jobs()
            // The deletion's job comes first, and both jobs of the follow run after the new follow.
            let removal = try #require(jobs.last)
            try await fanout.run(removal)
            try await fanout.acknowledge([removal])
            try await fanout.graph.follows.follow(reader, author)
            try await fanout.workOff()
            #expect(try await fanout.has(post, reader) == false)
        }
    }
}
