import Foundation
import Testing

@testable import GraphdClient

/// Answers of newer, broken and hostile servers; requests with unusual arguments.
@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
    @Test func `unknown values and new members are accepted`() async throws {
        let peer = ScriptedPeer { _, _ in
            .json(
                #"""
                {"items":[{"notificationId":"1","type":"applause","author":null,"viewer":null,"actors":[],
                "actorsCount":0,
                "postId":null,"commentId":null,"message":"m","isRead":false,"createdAt":"2026-11-21T03:01:07.300Z",
                "moderation":null,"mood":{"new":[1]}}],"nextCursor":null,"total":1}
                """#)
        }
        let page = try await GraphdClient.scripted(peer).notifications.list()
        let item = try #require(page.items.first)
        #expect(item.type == "applause" && !item.type.isKnown && item.type != .like)
        #expect(item.createdAt == Date(timeIntervalSince1970: 1_795_230_067.3))
    }

    @Test func `errors have the code, in every shape`() throws {
        for (body, code, detail) in [
            (#"{"code":"post_not_found","detail":"There is none.","field":"id"}"#, "post_not_found", "There is none."),
            (
                #"{"success":false,"error":"There is none.","code":"post_not_found"}"#, "post_not_found",
                "There is none."
            ),
            (#"{"status":"error","message":"There is none.","code":"later"}"#, "later", "There is none."),
        ] {
            let error = APIError(status: 404, body: Data(body.utf8), retryAfter: nil)
            #expect(error.code?.rawValue == code && error.detail == detail)
        }
        let error = APIError(status: 502, body: Data("<html>".utf8), retryAfter: 3)
        #expect(error.code == nil && error.retryAfter == 3)
    }

    @Test func `an answer that is too large is not read to its end`() async throws {
        let peer = ScriptedPeer { _, _ in
            HTTPResponse(status: 200, headers: [], body: BodyStream { { Data(count: 1000) } })
        }
        let client = try GraphdClient.scripted(peer) { $0.maximumAnswerSize = 10_000 }
        await #expect(throws: ClientError.self) { try await client.notifications.unreadCount() }
        #expect(await peer.requests.count == 1)
    }

    @Test(arguments: ["", "[]", #"{"unreadCount":"many"}"#, #"{"unreadCount":1e400}"#, "{\"unreadCount\":1"])
    func `an answer of another shape is an error and not repeated`(_ body: String) async throws {
        let peer = ScriptedPeer { _, _ in .json(body) }
        await #expect(throws: ClientError.self) {
            try await GraphdClient.scripted(peer).notifications.unreadCount()
        }
        #expect(await peer.requests.count == 1)
    }

    @Test func `deep nesting does not exhaust the stack`() async throws {
        let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let peer = ScriptedPeer { _, _ in .json(#"{"unreadCount":1,"x":\#(nested)}"#) }
        await #expect(throws: ClientError.self) {
            try await GraphdClient.scripted(peer).notifications.unreadCount()
        }
    }

    @Test func `a redirect is an error, and takes no token along`() async throws {
        let peer = ScriptedPeer { _, _ in .json("", status: 302, headers: [("Location", "http://other.example/")]) }
        await #expect(throws: APIError.self) { try await GraphdClient.scripted(peer).notifications.unreadCount() }
        #expect(await peer.requests.count == 1)
    }

    @Test func `arguments cannot leave their place in the URL`() async throws {
        let peer = ScriptedPeer { _, _ in .json(GraphdClient.counts) }
        let client = try GraphdClient.scripted(peer)
        try await client.posts.like(postId: "../../me?x=/#é")
        let url = try #require(await peer.requests.first?.url.absoluteString)
        #expect(url == "http://peer.example/v1/posts/..%2F..%2Fme%3Fx%3D%2F%23%C3%A9/like")
        for id in ["", ".", ".."] {
            await #expect(throws: ClientError.self) { try await client.posts.like(postId: id) }
        }
        #expect(await peer.requests.count == 1)
    }

    @Test func `queries hold filters, words and attributes`() async throws {
        let peer = ScriptedPeer { _, _ in .json(#"{"items":[],"nextCursor":null,"corrected":null}"#) }
        _ = try await GraphdClient.scripted(peer).search.posts(
            query: "a b&c+", attributes: ["workoutType": "HIIT"], limit: 5)
        #expect(await peer.requests.first?.url.query == "q=a%20b%26c%2B&limit=5&attributes.workoutType=HIIT")
    }

    @Test func `a change sets, removes or leaves a member`() async throws {
        let peer = ScriptedPeer { _, _ in .problem(403, "not_author") }
        let client = try GraphdClient.scripted(peer)
        for edit in [PostEdit(title: .set("New")), PostEdit(title: .remove), PostEdit()] {
            _ = try? await client.posts.edit(postId: "1", edit)
        }
        let bodies = await peer.bodies.map { String(decoding: $0, as: UTF8.self) }
        #expect(bodies == [#"{"title":"New"}"#, #"{"title":null}"#, "{}"])
    }

    @Test func `values without a fixed type keep theirs`() throws {
        let value: [String: JSONValue] = ["duration": 720, "pace": 1.5, "tags": ["a", nil], "flag": true]
        let data = try JSONCoding.encoder().encode(value)
        #expect(String(decoding: data, as: UTF8.self) == #"{"duration":720,"flag":true,"pace":1.5,"tags":["a",null]}"#)
        #expect(try JSONCoding.decoder().decode([String: JSONValue].self, from: data) == value)
    }
}
