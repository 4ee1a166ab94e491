import Foundation
import Testing

@testable import GraphdClient

/// Lists that are read page by page.
@Suite(.timeLimit(.minutes(1)))
struct PagingTests {
    private static func page(_ names: [String], _ cursor: String?) -> HTTPResponse {
        let items = names.map { #"{"userId":"1","username":"\#($0)","displayName":"","profilePicUrl":null}"# }
        return .json(
            #"{"items":[\#(items.joined(separator: ","))],"nextCursor":\#(cursor.map { "\"\($0)\"" } ?? "null")}"#)
    }

    @Test func `all pages are read, also those after an empty one`() async throws {
        let peer = ScriptedPeer { number, _ in
            [Self.page(["a", "b"], "9"), Self.page([], "8"), Self.page(["c"], nil)][number - 1]
        }
        var names: [String] = []
        for try await user in try GraphdClient.scripted(peer).follows.allFollowers(userId: "1", pageSize: 2) {
            names.append(user.username)
        }
        #expect(names == ["a", "b", "c"])
        let queries = await peer.requests.map { $0.url.query }
        #expect(queries == ["limit=2", "limit=2&cursor=9", "limit=2&cursor=8"])
    }

    @Test func `a loop that stops reads no further page`() async throws {
        let peer = ScriptedPeer { _, _ in Self.page(["a", "b"], "9") }
        for try await _ in try GraphdClient.scripted(peer).follows.allFollowers(userId: "1") { break }
        #expect(await peer.requests.count == 1)
    }

    @Test(arguments: 1...5)
    func `a server that leads in a circle is found out`(_ length: Int) async throws {
        let peer = ScriptedPeer { number, _ in Self.page([], String(number % length)) }
        await #expect(throws: ClientError.self) {
            for try await _ in try GraphdClient.scripted(peer).follows.allFollowers(userId: "1") {}
        }
        #expect(await peer.requests.count < 30)
    }

    @Test func `cursors that differ are no circle`() {
        var detector = CycleDetector()
        #expect(!(0..<1000).contains { detector.closes(with: String($0)) })
    }
}
