import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// The author's card and the caller's state in every item of `/v1`.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ItemDetailTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let viewerNames = ["liked", "saved", "reshared", "following", "isAuthor"]

    private func flags(_ item: JSONValue?) -> [String] {
        Self.viewerNames.filter { item?["viewer"]?[$0] == .bool(true) }
    }

    private func items(_ client: APIClient, _ path: String) async throws -> [JSONValue] {
        try #require(try await client.get(path).json["items"]?.entries, "\(path)")
    }

    /// An author with a name and a picture, a post of theirs, and a reader who follows them.
    private func scene() async throws -> (author: Person, reader: Person, post: String, word: String) {
        let (author, reader) = (try await server.person(), try await server.person())
        let changed = try await server.client(author).send(
            "PATCH", "/v1/me",
            body: Array(#"{"displayName":"Ada L.","profilePicUrl":"https://example.org/ada.png"}"#.utf8))
        #expect(changed.status == 200)
        try await server.client(reader).act("PUT", "\(author.path)/follow")
        let word = "w\(author.id.rawValue)"
        let post = try await server.client(author).publish(word)
        return (author, reader, post, word)
    }

    @Test func `every list of posts shows the author and the caller's own acts`() async throws {
        let (author, reader, post, word) = try await scene()
        let client = server.client(reader)
        for act in ["like", "save", "reshare"] {
            #expect(try await (200...204).contains(client.put("/v1/posts/\(post)/\(act)").status))
        }
        let made = try await client.post("/v1/me/collections", #"{"name":"c"}"#).json
        let collection = "/v1/me/collections/\(try #require(made["collectionId"]?.text))/posts"
        try await client.act("PUT", "\(collection)/\(post)")
        try await server.waitForJobs()
        let paths = [
            "/v1/timelines/home", "/v1/timelines/home?explain=true", "/v1/timelines/public?limit=100",
            "/v1/timelines/users/\(author.id.rawValue)", "/v1/search/posts?q=\(word)", "/v1/me/saves", collection,
        ]
        for path in paths {
            let item = try await items(client, path).first { $0["postId"]?.text == post }
            #expect(item?["author"]?.names == ["userId", "username", "displayName", "profilePicUrl"], "\(path)")
            #expect(item?["author"]?["displayName"] == .string("Ada L."), "\(path)")
            #expect(item?["author"]?["profilePicUrl"] == .string("https://example.org/ada.png"), "\(path)")
            #expect(item?["viewer"]?.names == Self.viewerNames, "\(path)")
            #expect(flags(item) == ["liked", "saved", "reshared", "following"], "\(path)")
        }
        let own = try await server.client(author).get("/v1/posts/\(post)").json
        #expect(flags(own) == ["isAuthor"])
        for act in ["like", "save", "reshare"] {
            #expect(try await (200...204).contains(client.delete("/v1/posts/\(post)/\(act)").status))
        }
        try await client.act("DELETE", "\(author.path)/follow")
        #expect(flags(try await client.get("/v1/posts/\(post)").json) == [])
        #expect(flags(try await items(client, paths[3]).first) == [])
    }

    @Test func `a changed name and picture are in the next answer, also for cached posts`() async throws {
        let (author, reader, post, _) = try await scene()
        let client = server.client(reader)
        _ = try await client.get("/v1/posts/\(post)")
        let changed = try await server.client(author).send(
            "PATCH", "/v1/me", body: Array(#"{"displayName":"","profilePicUrl":null}"#.utf8))
        #expect(changed.status == 200)
        let card = try await client.get("/v1/posts/\(post)").json["author"]
        #expect(card?["displayName"] == .null && card?["profilePicUrl"] == .null)
        #expect(card?["username"] == .string(author.username))
    }

    @Test func `comments and notifications show who wrote and acted`() async throws {
        let (author, reader, post, _) = try await scene()
        let (client, owner) = (server.client(reader), server.client(author))
        var stream = try await owner.stream()
        let comment = try await client.post("/v1/posts/\(post)/comments", #"{"content":"hello"}"#).json
        #expect(flags(comment) == ["isAuthor"])
        let listed = try await items(owner, "/v1/posts/\(post)/comments")
        #expect(listed.map { $0["author"]?["userId"]?.text } == [reader.idText])
        #expect(listed[0]["author"]?["displayName"] == .null && flags(listed[0]) == [])
        var told = try await stream.next()
        while let event = told, event.name != "notification" { told = try await stream.next() }
        let event = try #require(told?.json)
        #expect(event["author"] == event["actor"] && event["author"]?["userId"]?.text == reader.idText)
        #expect(flags(event) == ["isAuthor"])
        try await owner.act("PUT", "\(reader.path)/follow")
        let group = try await items(owner, "/v1/notifications").first { $0["type"] == .string("comment") }
        #expect(group?["author"]?["userId"]?.text == reader.idText)
        #expect(group?["actors"]?.entries?.first == group?["author"])
        #expect(flags(group) == ["following", "isAuthor"])
        // A comment with a reply stays as an empty place that tells nothing of its author.
        let id = try #require(comment["commentId"]?.text)
        _ = try await owner.post("/v1/posts/\(post)/comments", #"{"content":"reply","parentCommentId":"\#(id)"}"#)
        try await client.act("DELETE", "/v1/comments/\(id)")
        let gone = try await items(owner, "/v1/posts/\(post)/comments").first
        #expect(gone?["author"] == .null && gone?["viewer"] == .null)
    }
}
