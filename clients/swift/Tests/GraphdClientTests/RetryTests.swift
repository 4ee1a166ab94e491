import Foundation
import Testing

@testable import GraphdClient

/// Repetitions of requests after failures that pass.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `a read is repeated after longer and longer waits`() async throws {
        let (peer, waits) = (
            ScriptedPeer { number, _ in number < 4 ? .problem(503, "busy") : .json(#"{"unreadCount":2}"#) }, Waits()
        )
        let count = try await GraphdClient.scripted(peer, waits: waits).notifications.unreadCount()
        #expect(count.unreadCount == 2)
        #expect(await waits.all == [.milliseconds(250), .milliseconds(500), .seconds(1)])
    }

    @Test func `repetitions end, with the last error`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(503, "busy") }
        let error = await #expect(throws: APIError.self) {
            try await GraphdClient.scripted(peer).notifications.unreadCount()
        }
        #expect(error?.code == .busy && error?.status == 503 && error?.requestId == "r1")
        #expect(await peer.requests.count == 4)
    }

    @Test func `a creation is repeated under one key with the same body`() async throws {
        let peer = ScriptedPeer { number, _ in
            switch number {
            case 1: throw ScriptedPeer.ConnectionLost()
            case 2: .pieces([#"{"commentId":"#], breaksOff: true)
            default: .problem(404, "post_not_found")
            }
        }
        let client = try GraphdClient.scripted(peer)
        await #expect(throws: APIError.self) {
            try await client.comments.create(postId: "5", NewComment(content: "é/"))
        }
        let keys = await peer.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys.first??.isEmpty == false)
        #expect(await Set(peer.bodies) == [Data(#"{"content":"é/"}"#.utf8)])
    }

    @Test func `two creations have two keys, and the app may give its own`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(404, "post_not_found") }
        let client = try GraphdClient.scripted(peer)
        for key in [nil, nil, "mine"] {
            _ = try? await client.comments.create(postId: "5", NewComment(content: "a"), idempotencyKey: key)
        }
        let keys = await peer.requests.compactMap { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 3 && keys.last == "mine")
    }

    @Test func `an act without a key is not repeated when its outcome is unknown`() async throws {
        for failure in [true, false] {
            let peer = ScriptedPeer { _, _ in
                if failure { throw ScriptedPeer.ConnectionLost() }
                return .problem(503, "unavailable")
            }
            let client = try GraphdClient.scripted(peer)
            await #expect(throws: (any Error).self) { try await client.posts.acceptCollaboration(postId: "5") }
            #expect(await peer.requests.count == 1)
        }
    }

    @Test func `an act that a budget refuses is repeated after the time that the server names`() async throws {
        let peer = ScriptedPeer { number, _ in
            number == 1 ? .problem(429, "rate_limited", headers: [("retry-after", "7")]) : .empty
        }
        let waits = Waits()
        try await GraphdClient.scripted(peer, waits: waits).posts.acceptCollaboration(postId: "5")
        #expect(await waits.all == [.seconds(7)])
    }

    @Test(arguments: ["100000", "-1", "soon"])
    func `a server cannot make a client wait for long`(_ retryAfter: String) async throws {
        let peer = ScriptedPeer { _, _ in .problem(429, "rate_limited", headers: [("Retry-After", retryAfter)]) }
        let waits = Waits()
        await #expect(throws: APIError.self) {
            try await GraphdClient.scripted(peer, waits: waits).posts.like(postId: "5")
        }
        #expect(await waits.all.allSatisfy { $0 <= .seconds(20) })
    }

    @Test(arguments: ["mail_not_configured", "media_not_shared"])
    func `a refusal that lasts is not repeated`(_ code: String) async throws {
        let peer = ScriptedPeer { _, _ in .problem(503, code) }
        await #expect(throws: APIError.self) { try await GraphdClient.scripted(peer).posts.like(postId: "5") }
        #expect(await peer.requests.count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 422, 500, 507])
    func `an error that a repetition would get again is not repeated`(_ status: Int) async throws {
        let peer = ScriptedPeer { _, _ in .problem(status, "conflict") }
        await #expect(throws: APIError.self) { try await GraphdClient.scripted(peer).posts.like(postId: "5") }
        #expect(await peer.requests.count == 1)
    }

    @Test func `a half answer to a read is read again`() async throws {
        let peer = ScriptedPeer { number, _ in
            number == 1 ? .pieces([#"{"unreadCount":"#], breaksOff: true) : .json(#"{"unreadCount":3}"#)
        }
        #expect(try await GraphdClient.scripted(peer).notifications.unreadCount().unreadCount == 3)
    }

    @Test func `a cancelled task stops waiting and sends nothing more`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(503, "busy") }
        let (reached, signal) = AsyncStream.makeStream(of: Void.self)
        let client = try GraphdClient.scripted(peer) {
            $0.sleep = { _ in
                signal.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        let task = Task { try await client.notifications.unreadCount() }
        for await _ in reached { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await peer.requests.count == 1)
    }

    @Test func `jitter spreads waits from zero to their upper end`() {
        var policy = RetryPolicy()
        policy.jitter = { 0.5 }
        #expect(policy.backOff(3) == .milliseconds(500))
        policy.jitter = { 1 }
        #expect(policy.backOff(1_000_000) == policy.longestWait)
    }

    @Test(arguments: [RetryPolicy.Cause.connection, .unavailable, .budget])
    func `only the failures that the app names are repeated`(_ cause: RetryPolicy.Cause) async throws {
        for failure in RetryPolicy.Cause.allCases {
            let peer = ScriptedPeer { _, _ in
                switch failure {
                case .connection: throw ScriptedPeer.ConnectionLost()
                case .unavailable: .problem(503, "busy")
                case .budget: .problem(429, "rate_limited")
                }
            }
            let client = try GraphdClient.scripted(peer) { $0.retries.causes = [cause] }
            await #expect(throws: (any Error).self) { try await client.posts.like(postId: "5") }
            #expect(await peer.requests.count == (failure == cause ? 4 : 1), "\(failure)")
        }
    }

    @Test func `a client that repeats nothing draws no key`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(404, "post_not_found") }
        let client = try GraphdClient.scripted(peer) { $0.retries.maximumAttempts = 1 }
        for key in [nil, "mine"] {
            _ = try? await client.comments.create(postId: "5", NewComment(content: "a"), idempotencyKey: key)
        }
        #expect(await peer.requests.map { $0.headers["Idempotency-Key"] } == [nil, "mine"])
    }
}
