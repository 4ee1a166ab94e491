import Database
import GraphAPI
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphHTTP
@testable import SocialGraph
@testable import StrictJSON

/// The delivery receipt of a post.
@Suite(.timeLimit(.process), .sharedGraphd)
struct DeliveryTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let fields = [
        "postId", "audience", "delivered", "pulled", "pending", "queuedAt", "finishedAt", "timeToLastMs",
    ]

    private func isTimestamp(_ value: JSONValue?) -> Bool {
        value?.text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
    }

    @Test func `the receipt says how many a post has reached`() async throws {
        let author = try await server.person()
        let client = server.client(author)
        for _ in 0..<3 { try await server.client(try await server.person()).act("PUT", "\(author.path)/follow") }
        let post = try await client.publish()
        let early = try await client.get("/v1/posts/\(post)/delivery")
        #expect(early.status == 200)
        #expect(try early.json.names == Self.fields)
        try await server.waitForJobs()
        let receipt = try await client.get("/v1/posts/\(post)/delivery").json
        #expect(receipt.names == Self.fields)
        #expect(receipt["postId"] == .string(post))
        #expect(receipt["audience"] == .integer(4) && receipt["delivered"] == .integer(4))
        #expect(receipt["pulled"] == .integer(0) && receipt["pending"] == .bool(false))
        #expect(isTimestamp(receipt["queuedAt"]) && isTimestamp(receipt["finishedAt"]))
        #expect(try #require(receipt["timeToLastMs"]?.number) >= 0)
        #expect(try early.json["queuedAt"] == receipt["queuedAt"])
    }

    @Test func `a receipt is for the authors and the moderators of the community`() async throws {
        let (owner, author, friend, other) = (
            try await server.person(), try await server.person(), try await server.person(accepting: .following),
            try await server.person()
        )
        let community = try await server.client(owner).community("Receipts \(owner.idText)")
        for person in [author, other] {
            try await server.client(person).act("POST", "/v1/communities/\(community)/join")
        }
        try await server.client(friend).act("PUT", "\(author.path)/follow")
        let members = #""communityId":"\#(community)","collaborators":["\#(friend.idText)","\#(other.idText)"]"#
        let post = try #require(try await server.client(author).publish(with: members)["postId"]?.text)
        for person in [owner, author, friend] {
            #expect(try await server.client(person).get("/v1/posts/\(post)/delivery").status == 200)
        }
        // An invited user who has not accepted is not an author.
        for person in [other, try await server.person()] {
            try await server.client(person).get("/v1/posts/\(post)/delivery").expectProblem(403, "not_author")
        }
    }

    @Test func `what is no post has no receipt`() async throws {
        let client = server.client(try await server.person())
        let deleted = try await client.publish()
        try await client.act("DELETE", "/v1/posts/\(deleted)")
        for id in noIDs + [deleted] {
            try await client.get("/v1/posts/\(id)/delivery").expectProblem(404, "post_not_found", id)
        }
    }

    @Test func `a receipt under way has no end`() throws {
        var json = JSONWriter(reservingCapacity: 256)
        let receipt = DeliveryReceipt(
            audience: 5, delivered: 2, pulled: 1, isPending: true, queuedAt: 1_735_689_600_000,
            finishedAt: nil)
        json.deliveryReceipt(receipt, of: PostID(rawValue: 7))
        let value = try JSONReader.read(json.bytes)
        #expect(value["pending"] == .bool(true))
        #expect(value["delivered"] == .integer(2) && value["pulled"] == .integer(1))
        #expect(value["finishedAt"] == .null && value["timeToLastMs"] == .null)
        #expect(value["queuedAt"] == .string("2025-01-01T00:00:00.000Z"))
    }
}
