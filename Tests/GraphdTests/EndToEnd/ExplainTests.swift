import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON
@testable import Timeline

/// `explain=true`, `why` and the list of algorithms.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ExplainTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func reasons(_ client: APIClient, _ path: String, _ post: String) async throws -> [JSONValue] {
        let separator = path.contains("?") ? "&" : "?"
        let answer = try await client.get("\(path)\(separator)explain=true")
        guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
        let items = try #require(try answer.json["items"]?.entries)
        for item in items { #expect(item["reasons"]?.entries?.isEmpty == false, "\(item)") }
        let item = try #require(items.first { $0["postId"] == .string(post) })
        return item["reasons"]?.entries ?? []
    }

    private func object(_ members: (String, String)...) -> JSONValue {
        .object(members.map { JSONMember(name: $0.0, value: .string($0.1)) })
    }

    /// The verdict of `why`, and the kinds it gives.
    private func why(_ client: APIClient, _ post: String, _ query: String = "") async throws -> (Bool, [String]) {
        let answer = try await client.get("/v1/timelines/home/why/\(post)\(query)")
        guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
        let verdict = try answer.json
        #expect(verdict.names == ["visible", "reasons"])
        let reasons = try #require(verdict["reasons"]?.entries)
        #expect(!reasons.isEmpty)
        for reason in reasons {
            #expect(reason.names == ["kind", "text"] && reason["text"]?.text?.isEmpty == false, "\(reason)")
        }
        return (verdict["visible"] == .bool(true), reasons.compactMap { $0["kind"]?.text })
    }

    /// Expects the answer that a post which never existed gets.
    private func whyIsRefused(_ client: APIClient, _ post: String) async throws {
        try await client.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
        try await client.get("/v1/timelines/home/why/\(post)").expectProblem(404, "post_not_found")
    }

    /// The kinds that `why` gives; nil if the post is not found.
    private func whyIfAny(_ client: APIClient, _ post: String) async throws -> [String]? {
        let answer = try await client.get("/v1/timelines/home/why/\(post)")
        guard answer.status == 200 else { return nil }
        return try answer.json["reasons"]?.entries?.compactMap { $0["kind"]?.text }
    }

    private func expect(
        _ found: (Bool, [String]), _ visible: Bool, _ kinds: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found.0 == visible && found.1 == kinds, "\(found)", sourceLocation: sourceLocation)
    }

    @Test func `every item tells every reason it is there`() async throws {
        let (reader, author, friend) = (
            try await server.person(), try await server.person(), try await server.person(accepting: .following)
        )
        let (client, writer) = (server.client(reader), server.client(author))
        let topic = "Explained.\(reader.idText)"
        let community = try await writer.community("Explained \(reader.idText)")
        try await client.act("PUT", "\(author.path)/follow")
        try await client.act("PUT", "\(friend.path)/follow")
        try await server.client(friend).act("PUT", "\(author.path)/follow")
        try await client.act("PUT", "/v1/topics/\(topic)/follow")
        try await client.act("POST", "/v1/communities/\(community)/join")
        let members = """
            "category":"\(topic.uppercased())","algorithmTags":["AI","\(topic)"],"collaborators":["\(friend.idText)"],\
            "communityId":"\(community)"
            """
        let post = try #require(try await writer.publish(with: members)["postId"]?.text)
        let base = [
            object(("kind", "follows"), ("userId", author.idText), ("username", author.username)),
            object(("kind", "collaborator"), ("userId", friend.idText), ("username", friend.username)),
            object(("kind", "topic"), ("topic", topic)),
            object(
                ("kind", "community"), ("communityId", community), ("name", "Explained \(reader.idText)")),
        ]
        #expect(try await reasons(client, "/v1/timelines/home", post) == base)
        let filtered = try await reasons(client, "/v1/timelines/home?algorithms=fitness,ai&category=\(topic)", post)
        #expect(
            filtered
                == base + [
                    object(("kind", "category"), ("category", topic)), object(("kind", "algorithm"), ("tag", "ai")),
                ])
        expect(try await why(client, post), true, ["follows", "collaborator", "topic", "community"])
        expect(
            try await why(client, post, "?algorithms=ai"), true,
            ["follows", "collaborator", "topic", "community", "algorithm"])
        expect(try await why(client, post, "?algorithms=fitness"), false, ["filtered"])
        #expect(
            try await reasons(client, "/v1/communities/\(community)/timeline", post)
                == [object(("kind", "community"), ("communityId", community), ("name", "Explained \(reader.idText)"))])
        #expect(try await reasons(writer, "/v1/timelines/home", post).first == object(("kind", "own")))
    }

    @Test func `without explain or with explain false there are no reasons`() async throws {
        let client = server.client(try await server.person())
        let post = try await client.publish()
        for query in ["", "?explain=false"] {
            for path in ["/v1/timelines/home", "/v1/timelines/public?limit=1"] {
                let text = path.contains("?") ? query.replacing("?", with: "&") : query
                let items = try await client.get(path + text).json["items"]?.entries ?? []
                #expect(!items.isEmpty && items.allSatisfy { $0["reasons"] == nil })
            }
        }
        #expect(try await reasons(client, "/v1/timelines/home", post) == [object(("kind", "own"))])
        #expect(try await reasons(client, "/v1/timelines/public?limit=100", post) == [object(("kind", "public"))])
    }

    @Test func `no item is without reason while reasons come and go`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(reader), server.client(author))
        try await client.act("PUT", "/v1/topics/sometimes/follow")
        for _ in 0..<20 { _ = try await writer.publish() }
        let post = try await writer.publish()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<60 {
                    try await client.act("PUT", "\(author.path)/follow")
                    try await client.act("DELETE", "\(author.path)/follow")
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<60 {
                        let items = try await client.get("/v1/timelines/home?explain=true").json["items"]?.entries
                        for item in try #require(items) { #expect(item["reasons"]?.entries?.isEmpty == false) }
                        _ = try await why(client, post)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a reshare is a reason where nothing else is`() async throws {
        let (reader, friend, author) = (
            try await server.person(), try await server.person(), try await server.person()
        )
        let client = server.client(reader)
        try await client.act("PUT", "\(friend.path)/follow")
        let post = try await server.client(author).publish()
        expect(try await why(client, post), false, ["not_followed"])
        try await server.client(friend).act("PUT", "/v1/posts/\(post)/reshare")
        try await server.waitForJobs()
        #expect(
            try await reasons(client, "/v1/timelines/home", post)
                == [object(("kind", "reshare"), ("userId", friend.idText), ("username", friend.username))])
        expect(try await why(client, post), true, ["reshare"])
        #expect(try await client.put("\(friend.path)/mute", #"{"reshares":true}"#).status == 204)
        expect(try await why(client, post), false, ["not_followed", "reshares_muted"])
        try await client.act("PUT", "/v1/posts/\(post)/reshare")
        expect(try await why(client, post), true, ["own"])
    }

    @Test func `why names what hides a post`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(reader), server.client(author))
        let open = try await writer.publish()
        let closed = try #require(try await writer.publish(with: #""visibility":"followers""#)["postId"]?.text)
        expect(try await why(client, open), false, ["not_followed"])
        try await whyIsRefused(client, closed)
        try await client.act("PUT", "\(author.path)/follow")
        expect(try await why(client, open), true, ["follows"])
        expect(try await why(client, closed), true, ["follows"])
        expect(try await why(writer, open), true, ["own"])
        try await client.act("PUT", "\(author.path)/mute")
        expect(try await why(client, open), false, ["muted"])
        try await client.act("DELETE", "\(author.path)/mute")
        try await client.act("PUT", "\(author.path)/block")
        try await whyIsRefused(client, open)
        try await client.act("DELETE", "\(author.path)/block")
        try await writer.act("PUT", "\(reader.path)/block")
        try await whyIsRefused(client, open)
        try await writer.act("DELETE", "\(reader.path)/block")
        try await writer.act("DELETE", "/v1/posts/\(open)")
        try await whyIsRefused(client, open)
    }

    @Test func `why names switches and moderators`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(reader), server.client(author))
        let name = "Switched \(reader.idText)"
        let id = try await writer.community(name)
        let community = try #require(Int64(id).map(CommunityID.init(rawValue:)))
        let topic = "switched.\(reader.idText)"
        let post = try #require(
            try await writer.publish(with: #""communityId":"\#(id)","category":"\#(topic)""#)["postId"]?.text)
        let postID = try #require(Int64(post).map(PostID.init(rawValue:)))
        expect(try await why(client, post), false, ["not_followed"])
        try await client.act("POST", "/v1/communities/\(id)/join")
        expect(try await why(client, post), true, ["community"])
        #expect(try await client.put("/v1/communities/\(id)/home", #"{"inHome":false}"#).status == 204)
        expect(try await why(client, post), false, ["not_followed", "switched_off"])
        #expect(try await client.put("/v1/topics/\(topic)/follow", #"{"inHome":false}"#).status == 204)
        expect(try await why(client, post), false, ["not_followed", "switched_off", "switched_off"])
        try await client.act("PUT", "/v1/topics/\(topic)/follow")
        expect(try await why(client, post), true, ["topic"])
        #expect(try await client.patch("/v1/me", #"{"homeTopics":false}"#).status == 200)
        expect(try await why(client, post), false, ["not_followed", "switched_off", "switched_off"])
        #expect(try await client.patch("/v1/me", #"{"homeTopics":true}"#).status == 200)
        // Moderation has no request yet. The test acts beside the server, which learns of it a moment later.
        func become(_ expected: [String]?) async throws {
            while try await whyIfAny(client, post) != expected {
                // Not for synchronisation: a busy loop would take processor time from the server.
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        try await server.graph.communities.setRemoved(true, post: postID)
        try await become(nil)
        try await server.graph.communities.setRemoved(false, post: postID)
        try await become(["topic"])
        try await server.graph.communities.setBanned(true, reader.id, from: community)
        try await become(nil)
    }

    @Test func `why of no post and a bad question are refused`() async throws {
        let client = server.client(try await server.person())
        for id in noIDs {
            try await client.get("/v1/timelines/home/why/\(id)").expectProblem(404, "post_not_found", id)
        }
        let post = try await client.publish()
        for (query, code, field) in [
            ("limit=1", "unknown_parameter", "limit"), ("explain=true", "unknown_parameter", "explain"),
            ("algorithms=a,,b", "invalid_parameter", "algorithms"), ("category=", "invalid_parameter", "category"),
        ] {
            try await client.get("/v1/timelines/home/why/\(post)?\(query)").expectProblem(400, code, field: field)
        }
    }

    @Test func `every algorithm is listed in words`() async throws {
        let client = server.client(try await server.person())
        let answer = try await client.get("/v1/algorithms")
        #expect(answer.status == 200)
        #expect(try answer.json.names == ["algorithms"])
        let algorithms = try #require(try answer.json["algorithms"]?.entries)
        #expect(
            algorithms.compactMap { $0["name"]?.text } == [
                "home-chronological", "first-reason", "visibility", "category-filter", "algorithm-filter",
                "attribute-filter", "public-chronological", "community-chronological", "trending", "business-trends",
                "for-you",
            ])
        for algorithm in algorithms {
            #expect(algorithm.names == ["name", "description", "inputs", "version"])
            #expect(algorithm["description"]?.text?.isEmpty == false && algorithm["version"]?.text?.isEmpty == false)
            let inputs = algorithm["inputs"]?.entries ?? []
            #expect(!inputs.isEmpty && inputs.allSatisfy { $0.text?.isEmpty == false })
        }
        try await client.get("/v1/algorithms?limit=1").expectProblem(400, "unknown_parameter", field: "limit")
    }
}
