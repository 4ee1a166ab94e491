import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// `GET /v1/stream`: events, recipients, and resumption after an interrupted connection.
@Suite(.timeLimit(.process), .sharedGraphd)
struct StreamTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// An author, and a reader who follows it.
    private func pair() async throws -> (author: APIClient, reader: APIClient) {
        let (author, reader) = (try await server.person(), try await server.person())
        try await server.client(reader).act("PUT", "\(author.path)/follow")
        return (server.client(author), server.client(reader))
    }

    @Test func `a stream is text of events with the post as its data`() async throws {
        let (author, reader) = try await pair()
        // Once one stream has sent the post, it is in the past of the next stream.
        var earlier = try await reader.stream()
        _ = try await author.publish("before the stream")
        _ = try await earlier.posts(1)
        var stream = try await reader.stream()
        #expect(stream.header("Content-Type") == "text/event-stream")
        #expect(stream.header("Cache-Control") == "no-store")
        #expect(stream.header("X-Request-Id")?.isEmpty == false)
        #expect(stream.header("Content-Length") == nil)
        let id = try await author.publish("été 🏖\\n\\n\\\"data: x\\\"\\r")
        let event = try #require(try await stream.posts(1).first)
        #expect(event.id?.wholeMatch(of: /[1-9]\d{0,15}/) != nil)
        #expect(event.postID == id)
        #expect(try await event.json == reader.get("/v1/posts/\(id)").json)
    }

    @Test func `events come in the order of their ids and each once`() async throws {
        let (author, reader) = try await pair()
        var stream = try await reader.stream()
        let published = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<60 { group.addTask { try await author.publish() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let events = try await stream.posts(60)
        #expect(Set(events.compactMap(\.postID)) == published)
        let ids = events.compactMap { $0.id.flatMap { Int64($0) } }
        #expect(ids == ids.sorted() && Set(ids).count == 60)
    }

    @Test func `what is reshared, in a joined community or in a followed topic comes too`() async throws {
        let (author, reader) = try await pair()
        let stranger = server.client(try await server.person())
        let topic = "streamed \(try await server.person().idText)"
        try await reader.act("PUT", "/v1/topics/\(topic.replacing(" ", with: "%20"))/follow")
        let old = try await stranger.publish()
        var stream = try await reader.stream()
        try await author.act("PUT", "/v1/posts/\(old)/reshare")
        let tagged = try await stranger.publish(with: #""algorithmTags":["\#(topic)"]"#)["postId"]?.text
        // The reader already has the post, so its reshare is not sent.
        try await author.act("PUT", "/v1/posts/\(try #require(tagged))/reshare")
        let own = try await reader.publish()
        #expect(try await stream.posts(3).map(\.postID) == [old, tagged, own])
    }

    /// Opens a stream once the server has noticed that one of the former ones is closed.
    private static func reopened(by reader: APIClient, after event: String?) async throws -> EventStream {
        while true {
            do {
                return try await reader.stream(after: event)
            } catch let refusal as UnexpectedStream where refusal.status == 429 {
                // Not for synchronisation: a busy loop would take processor time from the server.
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test func `a connection that is cut again and again misses nothing and doubles nothing`() async throws {
        let (author, reader) = try await pair()
        var stream = try await reader.stream()
        let first = try await author.publish()
        var seen = try await stream.posts(1)
        #expect(seen.first?.postID == first)
        let count = 150
        var generator = SplitMix64(seed: 11)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { for _ in 0..<(count / 3) { _ = try await author.publish() } }
            }
            while seen.count < count + 1 {
                // Events that arrived and were not read are lost with the connection.
                let some = min(Int.random(in: 1...20, using: &generator), count + 1 - seen.count)
                seen += try await stream.posts(some)
                stream = try await Self.reopened(by: reader, after: seen.last?.id)
            }
            try await group.waitForAll()
        }
        let last = try await author.publish()
        seen += try await stream.posts(1)
        #expect(seen.last?.postID == last)
        let home = try await reader.ids("/v1/timelines/home")
        #expect(seen.compactMap(\.postID) == home.reversed())
    }

    @Test func `an old event replays what followed it, whether or not it is the caller's`() async throws {
        let (author, reader) = try await pair()
        var stream = try await reader.stream()
        let ids = try await (0..<3).asyncMap { _ in try await author.publish() }
        let events = try await stream.posts(3)
        for (index, event) in events.enumerated() {
            var again = try await reader.stream(after: event.id)
            let marker = try await author.publish()
            let later = events.dropFirst(index + 1).compactMap(\.postID)
            let replayed = try await again.posts(later.count + index + 1).compactMap(\.postID)
            #expect(Array(replayed.prefix(later.count)) == later && replayed.last == marker)
        }
        #expect(events.compactMap(\.postID) == ids)
        // Resumes from an event of another reader.
        let other = try await pair()
        var others = try await other.reader.stream(after: events[0].id)
        let fresh = try await other.author.publish()
        #expect(try await others.posts(1).map(\.postID) == [fresh])
    }

    @Test func `an event that never was is answered with a reset and the stream goes on`() async throws {
        let (author, reader) = try await pair()
        _ = try await author.publish()
        var stream = try await reader.stream(after: "9007199254740991")
        let reset = try await stream.next()
        #expect(reset?.name == "reset" && reset?.id == nil && reset?.json?["reason"] == .string("too_old"))
        let post = try await author.publish()
        #expect(try await stream.posts(1).map(\.postID) == [post])
    }

    @Test(arguments: ["x", "0", "-1", "01", "1.5", "9007199254740992", "99999999999999999999", "1 2", "1,2", "%31"])
    func `a malformed Last-Event-ID is refused`(_ text: String) async throws {
        let client = server.client(try await server.person())
        let answer = try await client.send("GET", "/v1/stream", headers: [("Last-Event-ID", text)])
        try answer.expectProblem(400, "invalid_header", field: "Last-Event-ID")
    }

    @Test func `a stream takes no query and needs a token`() async throws {
        let client = server.client(try await server.person())
        try await client.get("/v1/stream?cursor=1").expectProblem(400, "unknown_parameter", field: "cursor")
        try await server.client().get("/v1/stream").expectProblem(401, "token_missing")
    }

    @Test func `nothing hidden comes live or replayed`() async throws {
        let (author, reader) = try await pair()
        let topic = "hidden.\(try await server.person().idText)"
        try await reader.act("PUT", "/v1/topics/\(topic)/follow")
        let me = try await reader.get("/v1/me").json["userId"]?.text ?? ""
        let (blocker, blocked, muted, closed) = (
            try await server.person(), try await server.person(), try await server.person(), try await server.person()
        )
        try await server.client(blocker).act("PUT", "/v1/users/\(me)/block")
        try await reader.act("PUT", "\(blocked.path)/block")
        try await reader.act("PUT", "\(muted.path)/follow")
        try await reader.act("PUT", "\(muted.path)/mute")
        var stream = try await reader.stream()
        let start = try await author.publish()
        let first = try #require(try await stream.posts(1).first)
        #expect(first.postID == start)
        let tagged = #""algorithmTags":["\#(topic)"]"#
        for person in [blocker, blocked, muted] { _ = try await server.client(person).publish(with: tagged) }
        _ = try await server.client(closed).publish(with: tagged + #","visibility":"followers""#)
        let withdrawn = try await author.publish()
        try await author.act("DELETE", "/v1/posts/\(withdrawn)")
        // The deleted post may have been sent before its deletion.
        let marker = try await author.publish()
        var live = try await stream.posts(1)
        if live[0].postID == withdrawn { live = try await stream.posts(1) }
        #expect(live.map(\.postID) == [marker])
        var replayed = try await reader.stream(after: first.id)
        #expect(try await replayed.posts(1).map(\.postID) == [marker])
        // The author is hidden since then.
        let authorID = try await author.get("/v1/me").json["userId"]?.text ?? ""
        try await reader.act("PUT", "/v1/users/\(authorID)/block")
        try await reader.act("DELETE", "\(muted.path)/mute")
        let shown = try await server.client(muted).publish()
        var again = try await reader.stream(after: first.id)
        // A post that was muted on arrival is now in the timeline and therefore in the replay.
        let events = try await again.posts(2)
        #expect(events.last?.postID == shown)
        #expect(try await stream.posts(1).map(\.postID) == [shown])
    }
}
