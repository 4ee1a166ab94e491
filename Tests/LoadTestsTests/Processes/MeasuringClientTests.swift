import Foundation
import GraphdClient
import Synchronization
import TestSupport
import Testing

@testable import loadtests

/// The client of the load tests, with a server that answers as a script says.
@Suite(.timeLimit(.unit))
struct MeasuringClientTests {
    private final class Peer: HTTPTransport {
        let requests = Mutex<[HTTPRequest]>([])
        private let script: @Sendable (Int) -> HTTPResponse

        /// - Parameter script: Returns the answer to a request, whose number begins with 1.
        init(_ script: @escaping @Sendable (Int) -> HTTPResponse) { self.script = script }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            script(
                requests.withLock { requests in
                    requests.append(request)
                    return requests.count
                })
        }

        func client() throws -> GraphdClient {
            let server = try #require(URL(string: "http://peer.example"))
            var configuration = Configuration.measuring
            configuration.sleep = { _ in }
            return GraphdClient(server: server, transport: self, configuration: configuration)
        }
    }

    private static func answer(_ text: String, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [], body: BodyStream(Data(text.utf8)))
    }

    private static func post(_ id: Int) -> String { "id: \(id)\nevent: home\ndata: {\"postId\":\"\(id)\"}\n\n" }

    @Test func `of a page the ids are read`() async throws {
        let peer = Peer { _ in Self.answer(#"{"items":[{"postId":"7","caption":"a"}],"nextCursor":"c"}"#) }
        let page = try await peer.client().homePage(limit: 1, cursor: "b", algorithms: ["x", "y"])
        #expect(page.items.map(\.postId) == ["7"] && page.nextCursor == "c")
        let query = peer.requests.withLock { $0.first?.url.query }
        #expect(query == "limit=1&cursor=b&algorithms=x%2Cy")
    }

    @Test func `a refusal is an error and not repeated`() async throws {
        let peer = Peer { _ in Self.answer(#"{"code":"busy"}"#, 503) }
        let client = try peer.client()
        await #expect(throws: APIError.self) { try await client.homePage() }
        await #expect(throws: APIError.self) { try await client.publish(SampleGraph.draft(1)) }
        peer.requests.withLock { requests in
            #expect(requests.map(\.method) == [.get, .post])
            // A key would make the server store more than the post.
            #expect(requests.allSatisfy { $0.headers["Idempotency-Key"] == nil })
        }
    }

    @Test func `an outbox is waited for until it is empty and Redis is up`() async throws {
        let peer = Peer { number in
            let (redis, pending) = number == 1 ? ("down", 0) : ("up", 3 - number)
            return Self.answer(
                #"{"status":"ready","redis":"\#(redis)","outbox":{"pending":\#(pending),"oldestSeconds":0}}"#)
        }
        try await peer.client().waitUntilOutboxIsEmpty()
        #expect(peer.requests.withLock { $0.count } == 3)
        let remote = Peer { _ in Self.answer(#"{"status":"ready"}"#) }
        await #expect(throws: Program.Failure.self) { try await remote.client().waitUntilOutboxIsEmpty() }
        let stuck = Peer { _ in
            Self.answer(#"{"status":"ready","redis":"up","outbox":{"pending":1,"oldestSeconds":0}}"#)
        }
        await #expect(throws: Program.Failure.self) { try await stuck.client().waitUntilOutboxIsEmpty(within: .zero) }
    }

    @Test func `metrics are read by name and labels`() async throws {
        let peer = Peer { _ in Self.answer("# HELP a b\na 1\nb{c=\"d e\"} 2.5\n") }
        #expect(try await peer.client().metricValues() == ["a": 1, "b{c=\"d e\"}": 2.5])
    }

    @Test func `each stream is read until it has its events`() async throws {
        let peer = Peer { _ in Self.answer(": alive\n\n" + Self.post(1) + Self.post(2) + Self.post(3)) }
        let client = try peer.client()
        let listeners = StreamListeners(clients: [client, client], events: 2)
        let arrivals = try await listeners.during {
            #expect(peer.requests.withLock { $0.count } == 2, "the body runs once all streams are open")
        }
        #expect(arrivals.map { $0.map(\.post) } == [["1", "2"], ["1", "2"]])
    }

    @Test func `a stream that breaks off, or brings anything but posts, fails the run`() async throws {
        let broken = Peer { number in Self.answer(Self.post(number)) }
        let reset = Peer { _ in Self.answer("event: reset\ndata: {\"reason\":\"too_old\"}\n\n") }
        for peer in [broken, reset] {
            let listeners = StreamListeners(clients: [try peer.client()], events: 2)
            await #expect(throws: Program.Failure.self) { try await listeners.during {} }
        }
    }
}
