import Foundation
import Testing

@testable import GraphdClient

/// The session of a client: renewal, its races, its end.
@Suite(.timeLimit(.minutes(1)))
struct SessionTests {
    /// The sessions that an app was told to keep.
    private actor Kept {
        private(set) var all: [Session?] = []

        func add(_ session: Session?) { all.append(session) }
    }

    /// A server for which only the second token is good. It refuses others with `refusal`.
    private static func renewing(
        _ refusal: String = "token_expired", refresh: @escaping @Sendable () async throws -> HTTPResponse
    ) -> ScriptedPeer {
        ScriptedPeer { _, request in
            if request.url.path == "/v1/auth/refresh" { return try await refresh() }
            return request.headers["Authorization"] == "Bearer token2"
                ? .json(GraphdClient.counts) : .problem(401, refusal)
        }
    }

    private func refreshes(_ peer: ScriptedPeer) async -> Int {
        await peer.requests.count { $0.url.path == "/v1/auth/refresh" }
    }

    @Test(arguments: ["token_expired", "token_invalid"])
    func `requests that find the token refused share one renewal`(_ refusal: String) async throws {
        let kept = Kept()
        let peer = Self.renewing(refusal) { .json(Session.numbered(2).json) }
        let client = try GraphdClient.scripted(peer, sessionChanged: { await kept.add($0) })
        try await withThrowingTaskGroup(of: Counts.self) { group in
            for _ in 0..<50 { group.addTask { try await client.posts.like(postId: "5") } }
            for try await counts in group { #expect(counts.likesCount == 1) }
        }
        #expect(await refreshes(peer) == 1)
        #expect(await kept.all == [.numbered(2)])
        #expect(await client.session == .numbered(2))
    }

    @Test func `a new session is kept before its token is used`() async throws {
        let kept = Kept()
        let peer = ScriptedPeer { _, request in
            if request.url.path == "/v1/auth/refresh" { return .json(Session.numbered(2).json) }
            guard request.headers["Authorization"] == "Bearer token2" else { return .problem(401, "token_expired") }
            #expect(await kept.all == [.numbered(2)])
            return .json(GraphdClient.counts)
        }
        let client = try GraphdClient.scripted(peer, sessionChanged: { await kept.add($0) })
        try await client.posts.like(postId: "5")
    }

    @Test(arguments: ["token_expired", "token_invalid"])
    func `a refused refresh token ends the session`(_ refusal: String) async throws {
        let kept = Kept()
        let peer = Self.renewing(refusal) { .problem(401, "refresh_token_invalid") }
        let client = try GraphdClient.scripted(peer, sessionChanged: { await kept.add($0) })
        let error = await #expect(throws: ClientError.self) { try await client.posts.like(postId: "5") }
        guard case .sessionEnded = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await kept.all == [nil])
        #expect(await client.session == nil)
    }

    @Test func `a renewal whose answer is lost is not sent again, and the session stays`() async throws {
        let peer = Self.renewing { throw ScriptedPeer.ConnectionLost() }
        let client = try GraphdClient.scripted(peer)
        await #expect(throws: ClientError.self) { try await client.accounts.beginAuthenticator(PasswordProof()) }
        #expect(await refreshes(peer) == 1)
        #expect(await client.session == .example)
    }

    @Test(arguments: ["token_expired", "token_invalid"])
    func `a token that is refused twice is no reason for a second renewal`(_ refusal: String) async throws {
        let peer = ScriptedPeer { _, request in
            request.url.path == "/v1/auth/refresh" ? .json(Session.numbered(2).json) : .problem(401, refusal)
        }
        await #expect(throws: APIError.self) { try await GraphdClient.scripted(peer).posts.like(postId: "5") }
        #expect(await refreshes(peer) == 1)
    }

    @Test func `the cancellation of one caller leaves the renewal to the others`() async throws {
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let peer = Self.renewing {
            signal.yield()
            for await _ in gate { break }
            return .json(Session.numbered(2).json)
        }
        let client = try GraphdClient.scripted(peer)
        let cancelled = Task { try await client.posts.like(postId: "5") }
        for await _ in begun { break }
        cancelled.cancel()
        open.yield()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(await client.session == .numbered(2))
        #expect(try await client.posts.like(postId: "5").likesCount == 1)
        #expect(await refreshes(peer) == 1)
    }

    @Test(arguments: [true, false])
    func `a log-in during a renewal counts, also if the renewal is refused`(_ isRefused: Bool) async throws {
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let peer = Self.renewing {
            signal.yield()
            for await _ in gate { break }
            return isRefused ? .problem(401, "refresh_token_invalid") : .json(Session.numbered(3).json)
        }
        let client = try GraphdClient.scripted(peer)
        let liking = Task { try await client.posts.like(postId: "5") }
        for await _ in begun { break }
        await client.use(.numbered(2))
        open.yield()
        #expect(try await liking.value.likesCount == 1)
        #expect(await client.session == .numbered(2))
    }

    @Test func `a log-in opens a session without a token`() async throws {
        let peer = ScriptedPeer { _, _ in .json(Session.numbered(4).json) }
        let client = try GraphdClient.scripted(peer)
        try await client.logIn(email: "ada@example.org", password: "correct horse")
        #expect(await peer.requests.first?.headers["Authorization"] == nil)
        #expect(await client.session == .numbered(4))
    }

    @Test func `a session is renewed when the app asks, once for several callers`() async throws {
        let kept = Kept()
        let peer = Self.renewing { .json(Session.numbered(2).json) }
        let client = try GraphdClient.scripted(peer, sessionChanged: { await kept.add($0) })
        try await client.renewSession()
        #expect(await kept.all == [.numbered(2)])
        #expect(try await client.posts.like(postId: "5").likesCount == 1)
        #expect(await refreshes(peer) == 1)
        await client.use(nil)
        await #expect(throws: ClientError.self) { try await client.renewSession() }
    }

    @Test(arguments: ["token_expired", "token_invalid"])
    func `a token without a session is sent, and not renewed`(_ refusal: String) async throws {
        let kept = Kept()
        let peer = Self.renewing(refusal) { .json(Session.numbered(3).json) }
        let client = try GraphdClient.scripted(peer, sessionChanged: { await kept.add($0) })
        #expect(try await client.with(token: "token2").posts.like(postId: "5").likesCount == 1)
        let error = await #expect(throws: APIError.self) {
            try await client.with(token: "old").posts.like(postId: "5")
        }
        #expect(error?.code?.rawValue == refusal)
        #expect(await refreshes(peer) == 0)
        // The client that it was made of keeps its own session.
        #expect(await client.session == .example)
        #expect(await kept.all.isEmpty)
    }

    @Test func `a client with a token goes on with the session that it opens`() async throws {
        let peer = ScriptedPeer { _, request in
            request.url.path == "/v1/auth/login" ? .json(Session.numbered(2).json) : .empty
        }
        let client = try GraphdClient.scripted(peer).with(token: "lone")
        try await client.logIn(email: "ada@example.org", password: "correct horse")
        try await client.logOut()
        #expect(await peer.requests.last?.headers["Authorization"] == "Bearer token2")
        try await client.notifications.markAllRead()
        #expect(await peer.requests.last?.headers["Authorization"] == nil)
    }
}
