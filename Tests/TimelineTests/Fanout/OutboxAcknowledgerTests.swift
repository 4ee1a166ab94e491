import Logging
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct OutboxAcknowledgerTests {
    @Test(.redisServer, arguments: [true, false])
    func `the change log is read before a job of another process leaves the outbox, and for no other`(
        isForeign: Bool
    ) async throws {
        try await withFanout { fanout async throws in
            let user = try await fanout.graph.accounts.createAccount(username: "user", email: nil, passwordHash: nil).id
            _ = try await fanout.graph.posts.publish(
                NewPost(author: user, caption: "caption", mediaURL: "https://media.example/1"))
            let jobs = try await fanout.jobs()
            let left = Guarded([Int]())
            let acknowledger = OutboxAcknowledger(
                graph: fanout.graph, share: FanoutShare(all: fanout.lease, shards: 1),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                catchUp: {
                    let count = try await fanout.jobs().count
                    left.withLock { $0.append(count) }
                })
            if isForeign { acknowledger.expect(foreign: jobs) }
            for job in jobs { acknowledger.finished(job.id) }
            let running = Task { try await acknowledger.run() }
            while try await !fanout.jobs().isEmpty { await Task.yield() }
            running.cancel()
            try await running.value
            #expect(left.withLock { $0 } == (isForeign ? [jobs.count] : []))
        }
    }
}
