import Logging
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct OutboxAcknowledgerTests {
    @Test(.redisServer)
    func `the change log is read before jobs leave the outbox, once for all of them`() async throws {
        try await withFanout { fanout async throws in
            let user = try await fanout.graph.accounts.createAccount(username: "user", email: nil, passwordHash: nil).id
            for number in 1...3 {
                _ = try await fanout.graph.posts.publish(
                    NewPost(author: user, caption: "caption", mediaURL: "https://media.example/\(number)"))
            }
            let jobs = try await fanout.jobs()
            let left = Guarded([Int]())
            let acknowledger = OutboxAcknowledger(
                graph: fanout.graph, share: FanoutShare(all: fanout.lease, shards: 1),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                catchUp: {
                    let count = try await fanout.jobs().count
                    left.withLock { $0.append(count) }
                })
            for job in jobs { acknowledger.finished(job.id) }
            let running = Task { try await acknowledger.run() }
            while try await !fanout.jobs().isEmpty { await Task.yield() }
            running.cancel()
            try await running.value
            #expect(left.withLock { $0 } == [jobs.count])
        }
    }

    @Test(.redisServer)
    func `what is finished when the task is cancelled leaves the outbox without another look`() async throws {
        try await withFanout { fanout async throws in
            let user = try await fanout.graph.accounts.createAccount(username: "user", email: nil, passwordHash: nil).id
            _ = try await fanout.graph.posts.publish(.sample(user))
            let acknowledger = OutboxAcknowledger(
                graph: fanout.graph, share: FanoutShare(all: fanout.lease, shards: 1),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                catchUp: { try Task.checkCancellation() })
            for job in try await fanout.jobs() { acknowledger.finished(job.id) }
            let running = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await acknowledger.run()
            }
            try await running.value
            #expect(try await fanout.jobs().isEmpty)
        }
    }
}
