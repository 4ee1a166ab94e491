import Foundation
import Testing

@testable import GraphdClient

/// Streams of events over connections that end.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    private static func event(_ id: Int) -> String { "id: \(id)\nevent: other\ndata: {\"n\":\(id)}\n\n" }

    /// Reads events until the stream ends or has given that many.
    private func read(_ stream: EventStream, _ count: Int) async throws -> [ServerEvent] {
        var events: [ServerEvent] = []
        for try await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test(arguments: [true, false])
    func `a stream that breaks continues after its last event`(_ breaksOff: Bool) async throws {
        let peer = ScriptedPeer { number, _ in
            switch number {
            case 1:
                .pieces(["retry: 3000\n\n", Self.event(1) + Self.event(2) + "id: 3\ndata: {"], breaksOff: breaksOff)
            case 2: throw ScriptedPeer.ConnectionLost()
            default: .pieces([Self.event(3)])
            }
        }
        let waits = Waits()
        let events = try await read(GraphdClient.scripted(peer, waits: waits).timelines.homeStream(), 3)
        #expect(events.map(\.id) == ["1", "2", "3"])
        #expect(events.map(\.followsInterruption) == [false, false, true])
        let ids = await peer.requests.map { $0.headers["Last-Event-ID"] }
        #expect(ids.prefix(2) == [nil, "2"] && ids.last == "2")
        #expect(await waits.all.first == .seconds(3))
    }

    @Test(arguments: [408, 502, 503, 504])
    func `a stream goes on after a server that could not serve for a while`(_ status: Int) async throws {
        let peer = ScriptedPeer { number, _ in
            (2...6).contains(number) ? .json("", status: status) : .pieces([Self.event(number)])
        }
        let waits = Waits()
        let events = try await read(GraphdClient.scripted(peer, waits: waits).timelines.homeStream(), 2)
        #expect(events.map(\.id) == ["1", "7"])
        #expect(events.map(\.followsInterruption) == [false, true])
        #expect(await peer.requests.dropFirst().allSatisfy { $0.headers["Last-Event-ID"] == "1" })
        // A connection that ends, four attempts of the next one, and two of another.
        let (short, long) = (Duration.milliseconds(250), Duration.milliseconds(500))
        #expect(await waits.all == [short, short, long, .seconds(1), long, short])
    }

    @Test(arguments: [("7", 7), ("100000", 20)])
    func `a stream without ids waits as long as the server asks, within bounds`(
        _ retryAfter: String, _ seconds: Int
    ) async throws {
        let peer = ScriptedPeer { number, _ in
            number == 2
                ? .problem(503, "busy", headers: [("Retry-After", retryAfter)])
                : .pieces(["event: counts\ndata: \(GraphdClient.counts)\n\n"])
        }
        let waits = Waits()
        let client = try GraphdClient.scripted(peer, waits: waits) { $0.retries.maximumAttempts = 1 }
        let events = try await read(client.posts.stream(postId: "5"), 3)
        #expect(events.map(\.followsInterruption) == [false, true, true])
        #expect(await waits.all == [.milliseconds(250), .seconds(seconds), .milliseconds(250)])
    }

    @Test(arguments: [(403, "forbidden"), (429, "rate_limited"), (500, "internal"), (503, "media_not_shared")])
    func `a stream that is refused after an event ends`(_ status: Int, _ code: String) async throws {
        let peer = ScriptedPeer { number, _ in number == 1 ? .pieces([Self.event(1)]) : .problem(status, code) }
        let error = await #expect(throws: APIError.self) {
            try await read(GraphdClient.scripted(peer).timelines.homeStream(), 2)
        }
        #expect(error?.status == status && error?.code?.rawValue == code)
    }

    @Test func `a stream that never began, or whose app wants no repetitions, ends with the refusal`() async throws {
        let down = ScriptedPeer { _, _ in .json("", status: 502) }
        await #expect(throws: APIError.self) {
            try await read(GraphdClient.scripted(down).timelines.homeStream(), 1)
        }
        #expect(await down.requests.count == 4)
        let restarting = ScriptedPeer { number, _ in
            number == 2 ? .json("", status: 502) : .pieces([Self.event(number)])
        }
        let client = try GraphdClient.scripted(restarting) { $0.retries.causes = [.connection] }
        await #expect(throws: APIError.self) { try await read(client.timelines.homeStream(), 2) }
        #expect(await restarting.requests.count == 2)
    }

    @Test func `a stream whose session has ended says so`() async throws {
        let peer = ScriptedPeer { number, request in
            if request.url.path == "/v1/auth/refresh" { return .problem(401, "refresh_token_invalid") }
            return number == 1 ? .pieces([Self.event(1)]) : .problem(401, "token_invalid")
        }
        let client = try GraphdClient.scripted(peer)
        await #expect(throws: ClientError.self) { try await read(client.timelines.homeStream(), 2) }
        #expect(await client.session == nil)
    }

    @Test func `a stream begins after the event that the app has seen`() async throws {
        let peer = ScriptedPeer { _, _ in .pieces([Self.event(8)]) }
        _ = try await read(GraphdClient.scripted(peer).timelines.homeStream(lastEventID: "7"), 1)
        #expect(await peer.requests.first?.headers["Last-Event-ID"] == "7")
    }

    @Test func `a stream whose token ends is opened again with a new one`() async throws {
        let peer = ScriptedPeer { _, request in
            if request.url.path == "/v1/auth/refresh" { return .json(Session.numbered(2).json) }
            if request.headers["Authorization"] == "Bearer token2" { return .pieces([Self.event(2)]) }
            return request.headers["Last-Event-ID"] == nil
                ? .pieces([Self.event(1), "event: end\ndata: {\"reason\":\"token_invalid\"}\n\n"])
                : .problem(401, "token_expired")
        }
        let events = try await read(GraphdClient.scripted(peer).timelines.homeStream(), 2)
        #expect(events.map(\.id) == ["1", "2"])
    }

    @Test func `a stream that the server refuses for good fails`() async throws {
        let many = ScriptedPeer { _, _ in .pieces(["event: end\ndata: {\"reason\":\"too_many_streams\"}\n\n"]) }
        await #expect(throws: ClientError.self) {
            try await read(GraphdClient.scripted(many).timelines.homeStream(), 1)
        }
        let gone = ScriptedPeer { _, _ in .problem(404, "post_not_found") }
        await #expect(throws: APIError.self) {
            try await read(GraphdClient.scripted(gone).posts.stream(postId: "5"), 1)
        }
    }

    @Test func `the stream of a post tells of interruptions and ends with the post`() async throws {
        let counts = "event: counts\ndata: \(GraphdClient.counts)\n\n"
        let peer = ScriptedPeer { number, _ in
            .pieces(number == 1 ? [counts] : [counts, "event: end\ndata: {\"reason\":\"post_gone\"}\n\n"])
        }
        var found: [String] = []
        for try await event in try GraphdClient.scripted(peer).posts.events(postId: "5") {
            switch event {
            case .counts(let counts): found.append("counts \(counts.likesCount)")
            case .interrupted: found.append("interrupted")
            default: found.append("other")
            }
        }
        #expect(found == ["counts 1", "interrupted", "counts 1"])
    }

    @Test func `events of a later version are passed on`() async throws {
        let peer = ScriptedPeer { _, _ in .pieces(["event: reset\ndata: {}\n\nevent: news\ndata: 1\n\n"]) }
        var events = try GraphdClient.scripted(peer).timelines.homeEvents().makeAsyncIterator()
        guard case .reset? = try await events.next(), case .other(let event)? = try await events.next() else {
            Issue.record("other events were expected")
            return
        }
        #expect(event.name == "news")
    }

    @Test func `a cancelled loop ends`() async throws {
        let peer = ScriptedPeer { _, _ in
            HTTPResponse(
                status: 200, headers: [],
                body: BodyStream {
                    {
                        try await Task.sleep(for: .seconds(3600))
                        return nil
                    }
                })
        }
        let stream = try GraphdClient.scripted(peer).timelines.homeStream()
        let task = Task { try await read(stream, 1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `events may be cut anywhere`() throws {
        let text =
            ": alive\r\n\r\nid: 1\r\nevent: a\r\ndata: é\r\ndata:x\r\n\r\ndata: b\rid: 2\r\rignored: 1\n\ndata\n\n"
        var whole = ServerEventParser(limit: 1000)
        let expected = try whole.events(in: Data(text.utf8))
        #expect(expected.map(\.data) == ["é\nx", "b", ""])
        #expect(expected.map(\.name) == ["a", "message", "message"] && expected.map(\.id) == ["1", "2", nil])
        var bytes = ServerEventParser(limit: 1000)
        #expect(try text.utf8.flatMap { try bytes.events(in: Data([$0])) } == expected)
    }

    @Test func `an event has a largest size, a stream has none`() throws {
        var parser = ServerEventParser(limit: 64)
        for _ in 0..<100 { _ = try parser.events(in: Data((": alive\n\n" + Self.event(1)).utf8)) }
        #expect(throws: ClientError.self) {
            try parser.events(in: Data("data: \(String(repeating: "x", count: 64))".utf8))
        }
        var manyLines = ServerEventParser(limit: 64)
        #expect(throws: ClientError.self) {
            for _ in 0..<100 { _ = try manyLines.events(in: Data("data: x\n".utf8)) }
        }
        var manyEmptyLines = ServerEventParser(limit: 64)
        #expect(throws: ClientError.self) {
            for _ in 0..<100 { _ = try manyEmptyLines.events(in: Data("data\n".utf8)) }
        }
    }

    @Test func `an app learns of each connection that is open`() async throws {
        let peer = ScriptedPeer { number, _ in
            if number == 2 { throw ScriptedPeer.ConnectionLost() }
            return .pieces([Self.event(number)])
        }
        let (opened, signal) = AsyncStream.makeStream(of: Void.self)
        let stream = try GraphdClient.scripted(peer) { $0.retries.maximumAttempts = 1 }.timelines.homeStream()
        #expect(try await read(stream.onOpen { signal.yield() }, 2).map(\.id) == ["1", "3"])
        signal.finish()
        #expect(await opened.reduce(0) { count, _ in count + 1 } == 2)
    }

    @Test func `a stream that never opens says nothing`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(403, "forbidden") }
        let (opened, signal) = AsyncStream.makeStream(of: Void.self)
        await #expect(throws: APIError.self) {
            try await read(GraphdClient.scripted(peer).timelines.homeStream().onOpen { signal.yield() }, 1)
        }
        signal.finish()
        #expect(await opened.reduce(0) { count, _ in count + 1 } == 0)
    }
}
