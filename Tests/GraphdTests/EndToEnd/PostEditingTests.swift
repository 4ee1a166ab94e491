import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Edits of a post's text.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PostEditingTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `what is changed is shown at once and the rest stays`() async throws {
        let (author, reader) = (try await server.person(), server.client(try await server.person()))
        let writer = server.client(author)
        try await reader.act("PUT", "\(author.path)/follow")
        let before = try await writer.publish(with: #""title":"one","link":"https://example.org/a","category":"Art""#)
        let path = "/v1/posts/\(try #require(before["postId"]?.text))"
        _ = try await reader.get("/v1/timelines/home")
        let edited = try await writer.patch(path, #"{"caption":"two","title":null}"#)
        #expect(edited.status == 200, "\(edited)")
        let after = try await reader.get(path).json
        #expect(try await writer.get(path).json == edited.json)
        #expect(try await reader.get("/v1/timelines/home").json["items"]?.entries == [after])
        #expect(after["caption"] == .string("two") && after["title"] == .null)
        for name in ["link", "category", "createdAt", "mediaUrl", "postId"] { #expect(after[name] == before[name]) }
        let second = try await writer.patch(path, #"{"link":null,"thumbnailUrl":"https://example.org/t.jpg"}"#).json
        #expect(second["link"] == .null && second["thumbnailUrl"] == .string("https://example.org/t.jpg"))
        #expect(second["caption"] == .string("two"))
    }

    @Test func `who is mentioned by the change is told once`() async throws {
        let (author, friend) = (server.client(try await server.person()), try await server.person())
        let id = try await author.publish()
        for _ in 0..<2 { _ = try await author.patch("/v1/posts/\(id)", #"{"caption":"with @\#(friend.username)"}"#) }
        let told = try await server.client(friend).get("/v1/notifications").json["items"]?.entries
        #expect(told?.map { $0["type"] } == [.string("mention")])
    }

    @Test func `what is wrong changes nothing`() async throws {
        let (author, stranger) = (server.client(try await server.person()), server.client(try await server.person()))
        let post = try await author.publish(with: #""visibility":"followers""#)
        let path = "/v1/posts/\(try #require(post["postId"]?.text))"
        try await author.patch(path, #"{"caption":""}"#).expectProblem(422, "invalid_value", field: "caption")
        try await author.patch(path, #"{"link":"x"}"#).expectProblem(422, "invalid_url", field: "link")
        try await author.patch(path, #"{"category":"x"}"#).expectProblem(400, "unknown_field", field: "category")
        try await stranger.patch(path, #"{"caption":"mine"}"#).expectProblem(404, "post_not_found")
        #expect(try await author.get(path).json == post)
    }
}
