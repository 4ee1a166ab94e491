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
