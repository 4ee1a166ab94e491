import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// The public timeline, and those of communities.
@Suite(.timeLimit(.process), .sharedGraphd)
struct PublicTimelineTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let path = "/v1/timelines/public"

    /// Moderation has no request yet. The test acts beside the server, which learns of it a moment later.
    private func until(_ isReached: () async throws -> Bool) async throws {
        while try await !isReached() {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func `the public timeline has what is public and nothing else`() async throws {
        let (reader, author, muted, blocker) = (
            try await server.person(), try await server.person(), try await server.person(), try await server.person()
        )
        let (client, writer) = (server.client(reader), server.client(author))
        try await client.act("PUT", "\(author.path)/follow")
        try await client.act("PUT", "\(muted.path)/mute")
        try await server.client(blocker).act("PUT", "\(reader.path)/block")
        let tag = "public.\(reader.idText)"
        let query = "?algorithms=\(tag)"
        func publish(_ client: APIClient, _ more: String = "") async throws -> String {
            try #require(try await client.publish(with: #""algorithmTags":["\#(tag)"]\#(more)"#)["postId"]?.text)
        }
        let open = try await publish(writer)
        let closed = try await publish(writer, #","visibility":"followers""#)
        let own = try await publish(client)
        let hidden = [try await publish(server.client(muted)), try await publish(server.client(blocker))]
        // Posts for followers are not public, not even to a follower.
        #expect(try await client.page(Self.path + query) == [own, open])
        #expect(try await client.page("/v1/timelines/home\(query)") == [own, closed, open])
        let stranger = server.client(try await server.person())
        #expect(try await stranger.page(Self.path + query) == hidden.reversed() + [own, open])
        try await writer.act("DELETE", "/v1/posts/\(open)")
        #expect(try await client.page(Self.path + query) == [own])
        let answer = try await client.get(Self.path + "?limit=1")
        #expect(try answer.json.names == ["items", "nextCursor"])
        let items = try await client.walk(Self.path, limit: 50)
        let ids = items.compactMap { $0["postId"]?.text.flatMap { Int64($0) } }
        #expect(ids == Set(ids).sorted(by: >) && items.allSatisfy { $0["visibility"] == .string("public") })
    }

    @Test func `the community timeline has its posts and its pins first`() async throws {
        let (owner, member) = (try await server.person(), try await server.person())
        let (client, reader) = (server.client(owner), server.client(member))
        let id = try await client.community("Pinned \(owner.idText)")
        let community = try #require(Int64(id).map(CommunityID.init(rawValue:)))
        let path = "/v1/communities/\(id)/timeline"
        let empty = try await reader.get(path)
        #expect(empty.text == #"{"pinned":[],"items":[],"nextCursor":null}"#)
        var posts: [String] = []
        for _ in 0..<5 {
            posts.append(try #require(try await client.publish(with: #""communityId":"\#(id)""#)["postId"]?.text))
        }
        _ = try await client.publish("not in it")
        #expect(try await reader.page(path) == posts.reversed())
        for limit in [1, 2, 5] { #expect(try await reader.ids(path, limit: limit) == posts.reversed()) }
        let order = [posts[3], posts[0]]
        for post in order {
            try await server.graph.communities.setPinned(
                true, PostID(rawValue: try #require(Int64(post))), in: community)
        }
        func pinned(_ query: String = "") async throws -> [String]? {
            try await reader.get(path + query).json["pinned"]?.entries?.compactMap { $0["postId"]?.text }
        }
        try await until { try await pinned() == order }
        let first = try await reader.get(path + "?limit=2").json
        #expect(first.names == ["pinned", "items", "nextCursor"])
        #expect(first["pinned"]?.entries?.first == (try await reader.get("/v1/posts/\(posts[3])").json))
        let cursor = try #require(first["nextCursor"]?.text)
        #expect(try await reader.get("\(path)?cursor=\(cursor)").json.names == ["items", "nextCursor"])
        // Posts hidden from the reader are not pinned for them either.
        try await client.act("DELETE", "/v1/posts/\(posts[3])")
        #expect(try await pinned() == [posts[0]])
        try await reader.act("PUT", "\(owner.path)/block")
        #expect(try await pinned() == [])
        #expect(try await reader.page(path) == [])
    }

    @Test func `a lock and a removal are obeyed`() async throws {
        let (owner, member) = (try await server.person(), try await server.person())
        let (client, writer) = (server.client(owner), server.client(member))
        let id = try await client.community("Locked \(owner.idText)")
        let community = try #require(Int64(id).map(CommunityID.init(rawValue:)))
        let path = "/v1/communities/\(id)/timeline"
        try await writer.act("POST", "/v1/communities/\(id)/join")
        let post = try #require(try await writer.publish(with: #""communityId":"\#(id)""#)["postId"]?.text)
        try await server.graph.communities.setLocked(true, community: community)
        let body = #"{"caption":"c","mediaUrl":"https://example.org/v","communityId":"\#(id)"}"#
        try await writer.post("/v1/posts", body).expectProblem(403, "community_locked")
        #expect(try await writer.page(path) == [post])
        let postID = PostID(rawValue: try #require(Int64(post)))
        try await server.graph.communities.setRemoved(true, post: postID)
        let stranger = server.client(try await server.person())
        try await until { try await stranger.page(path) == [] }
        try await stranger.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
        // Its author and the moderators still see it.
        #expect(try await writer.page(path) == [post])
        #expect(try await client.page(path) == [post])
        try await server.graph.communities.setRemoved(false, post: postID)
        try await until { try await stranger.page(path) == [post] }
    }

    @Test func `a timeline of no community is 404`() async throws {
        let client = server.client(try await server.person())
        for id in noIDs {
            try await client.get("/v1/communities/\(id)/timeline").expectProblem(404, "community_not_found", id)
        }
    }
}
