import Importing
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct OutboxFairnessTests {
    @Test(.redisServer)
    func `3,000 posts of one author queued ahead delay another's by a round or two`() async throws {
        try await withFanout { fanout async throws in
            let (busy, other) = (try await fanout.user("busy"), try await fanout.user("other"))
            try await fanout.graph.bulkPosts.publish(batch: (0..<3_000).map { _ in .sample(busy) })
            _ = try await fanout.graph.posts.publish(.sample(other))
            let last = try #require(try await fanout.graph.outbox.outboxJobs(above: nil, limit: 4_000).last)
            let state = Guarded((isLast: false, isRead: false, ahead: 0, isServed: false))
            // No author is served before the worker has read the whole outbox.
            fanout.hooked.afterJobs.withLock {
                $0 = { jobs in
                    // A read begins once the worker has taken the jobs of the one before.
                    state.withLock { state in
                        if state.isLast { state.isRead = true }
                        if jobs.contains(where: { $0.id == last.id }) { state.isLast = true }
                    }
                }
            }
            fanout.hooked.beforeAudience.withLock {
                $0 = { work, _ in
                    while !state.withLock({ $0.isRead }) {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                    guard case .push(_, let author) = work else { return }
                    state.withLock { state in
                        if author == other { state.isServed = true } else if !state.isServed { state.ahead += 1 }
                    }
                }
            }
            try await fanout.workOff()
            #expect(state.withLock { $0.isServed })
            // These are the steps that had begun.
            #expect(state.withLock { $0.ahead } < 100)
        }
    }

    @Test(.redisServer)
    func `a post to many windows is delivered step by step, others in between`() async throws {
        try await withFanout { fanout async throws in
            let (busy, other) = (try await fanout.user("busy"), try await fanout.user("other"))
            var importer = FollowImporter(graph: fanout.graph)
            for start in stride(from: 0, to: 20_000, by: 5_000) {
                try await importer.write((start..<start + 5_000).map { ("f\($0)", "busy") })
            }
            try await fanout.workOff()
            _ = try await fanout.graph.posts.publish(.sample(busy))
            let steps = Guarded<[UserID]>([])
            let (isFirst, read) = (Guarded(true), Guarded((isOther: false, isTaken: false)))
            fanout.hooked.afterJobs.withLock {
                $0 = { jobs in
                    let isOther = jobs.contains { if case .push(_, other) = $0.work { true } else { false } }
                    // A read begins once the worker has taken the jobs of the one before.
                    read.withLock { read in
                        if read.isOther { read.isTaken = true }
                        if isOther { read.isOther = true }
                    }
                }
            }
            fanout.hooked.beforeAudience.withLock {
                $0 = { [graph = fanout.graph] work, cursor in
                    guard case .push(_, let author) = work else { return }
                    steps.withLock { $0.append(author) }
                    let isSecond = author == busy && cursor != .start
                    guard isSecond, isFirst.withLock({ $0.take() }) else { return }
                    _ = try await graph.posts.publish(.sample(other))
                    // The step continues once the worker has the other author's job.
                    while !read.withLock({ $0.isTaken }) {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                }
            }
            try await fanout.workOff()
            let order = steps.withLock { $0 }
            #expect(order.filter { $0 == busy }.count == 20_000 / JobRunner.audienceChunk + 1)
            let place = try #require(order.firstIndex(of: other))
            #expect(place <= 3)
        }
    }

    @Test(.redisServer)
    func `of a large audience, recent readers are served with the first step`() async throws {
        try await withFanout { fanout async throws in
            let author = try await fanout.user("author")
            var importer = FollowImporter(graph: fanout.graph)
            try await importer.write((0..<5_000).map { ("f\($0)", "author") })
            try await fanout.workOff()
            let reader = try #require(try await fanout.graph.accounts.account(username: "f4999")).id
            let stranger = try await fanout.user("stranger")
            try await fanout.build([reader, stranger])
            for viewer in [reader, stranger] { fanout.pushes.recent.note(viewer) }
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            let job = try #require(try await fanout.jobs().last)
            let batch = try await fanout.pushes.compose([AuthorQueues.Turn(jobs: [job], cursor: .start)])
            try await fanout.pushes.deliver(batch)
            fanout.pushes.release(batch)
            #expect(batch.rest.count == 1)
            #expect(try await fanout.has(post, reader))
            #expect(try await fanout.has(post, stranger) == false)
        }
    }
}
