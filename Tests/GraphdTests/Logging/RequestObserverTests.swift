import Database
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct RequestObserverTests {
    private struct Secret: Error {}

    private struct Fixture {
        let registry = PrometheusRegistry()
        let log = RecordingSink()

        func run(_ test: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
            let routes = RouteTable()
            let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
            router.add(middleware: RequestObserver(routes: routes, metrics: RequestMetrics(factory: registry)))
            router.get("/v1/users/{id}") { _, context in
                context.caller.identify(as: 17)
                return context.requestID
            }
            router.put("/v1/users/{id}/follow") { _, _ in "followed" }
            router.delete("/v1/users/{id}/follow") { _, _ in "unfollowed" }
            router.get("/fails") { _, _ -> String in throw Secret() }
            router.get("/damaged") { _, _ -> String in throw DatabaseError.undecodable(PostVisibility.self, "blot") }
            router.get("/refuses") { _, _ -> String in throw Problem(.tooLong, "\"a\" is \"long\"", field: "a") }
            router.post("/reads") { request, _ -> String in
                _ = try await request.body.collect(upTo: 4)
                return "read"
            }
            routes.fill(from: router)
            var logger = Logger(label: "t") { LineLogHandler(label: $0, level: .info, format: .json, sink: log) }
            logger.logLevel = .info
            try await Application(router: router, logger: logger).test(.router, test)
        }
    }

    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(String(buffer: response.body).utf8)) as? [String: Any])
    }

    @Test func `an unknown error is internal and its text reaches the log only`() async throws {
        let fixture = Fixture()
        try await fixture.run { client in
            let response = try await client.executeRequest(uri: "/fails", method: .get, headers: [:], body: nil)
            let body = try object(response)
            #expect(response.status.code == 500)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(body["code"] as? String == "internal")
            #expect(body["status"] as? Int == 500)
            #expect(body["requestId"] as? String == response.headers[.xRequestID])
            #expect(body["field"] == nil)
            #expect(!String(buffer: response.body).contains("Secret"))
        }
        #expect(fixture.log.lines.contains { $0.contains("Secret") && $0.contains("\"level\":\"error\"") })
    }

    @Test func `a damaged value in the database is unavailable and stands in the log`() async throws {
        let fixture = Fixture()
        try await fixture.run { client in
            let response = try await client.executeRequest(uri: "/damaged", method: .get, headers: [:], body: nil)
            let body = try object(response)
            #expect(response.status.code == 503)
            #expect(body["code"] as? String == "unavailable")
            #expect((body["detail"] as? String)?.contains("damaged") == true)
            #expect(!String(buffer: response.body).contains("blot"))
        }
        #expect(fixture.log.lines.contains { $0.contains("blot") && $0.contains("\"level\":\"error\"") })
    }

    @Test func `a problem is answered as it is`() async throws {
        try await Fixture().run { client in
            let response = try await client.executeRequest(uri: "/refuses", method: .get, headers: [:], body: nil)
            let body = try object(response)
            #expect(response.status.code == 422)
            #expect(body["code"] as? String == "too_long")
            #expect(body["field"] as? String == "a")
            #expect(body["detail"] as? String == "\"a\" is \"long\"")
            #expect(Set(body.keys) == ["type", "title", "status", "detail", "code", "requestId", "field"])
        }
    }

    @Test func `an unknown path is 404 and a known one with another method is 405`() async throws {
        try await Fixture().run { client in
            let unknown = try await client.executeRequest(uri: "/nope?x=1", method: .get, headers: [:], body: nil)
            #expect(unknown.status.code == 404)
            #expect(try object(unknown)["code"] as? String == "not_found")
            let follow = try await client.executeRequest(
                uri: "/v1/users/1/follow", method: .post, headers: [:], body: nil)
            #expect(follow.status.code == 405)
            #expect(follow.headers[.allow] == "DELETE, PUT")
            #expect(try object(follow)["code"] as? String == "method_not_allowed")
            let user = try await client.executeRequest(uri: "/v1/users/1", method: .put, headers: [:], body: nil)
            #expect(user.headers[.allow] == "GET, HEAD")
        }
    }

    @Test func `a body over the limit is 413`() async throws {
        try await Fixture().run { client in
            let response = try await client.executeRequest(
                uri: "/reads", method: .post, headers: [:], body: ByteBuffer(string: "12345"))
            #expect(response.status.code == 413)
            #expect(try object(response)["code"] as? String == "body_too_large")
        }
    }

    @Test(arguments: [("abc.DEF_1-2", true), ("", false), ("a b", false), ("é", false)])
    func `an acceptable request ID is kept`(_ offered: String, _ isKept: Bool) async throws {
        let fixture = Fixture()
        try await fixture.run { client in
            let response = try await client.executeRequest(
                uri: "/v1/users/5", method: .get, headers: [.xRequestID: offered], body: nil)
            let given = response.headers[.xRequestID] ?? ""
            #expect((given == offered) == isKept)
            #expect(RequestObserver.isAcceptable(given))
            #expect(String(buffer: response.body) == given)
        }
    }

    @Test func `request IDs have 64 characters at most`() {
        #expect(RequestObserver.isAcceptable(String(repeating: "a", count: 64)))
        #expect(!RequestObserver.isAcceptable(String(repeating: "a", count: 65)))
    }

    @Test func `each request leaves one line and two metrics by template`() async throws {
        let fixture = Fixture()
        try await fixture.run { client in
            for id in 1...3 {
                _ = try await client.executeRequest(uri: "/v1/users/\(id)", method: .get, headers: [:], body: nil)
            }
            _ = try await client.executeRequest(uri: "/secret/path", method: .get, headers: [:], body: nil)
        }
        let lines = try fixture.log.lines.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        .filter { $0["message"] as? String == "request" }
        #expect(lines.count == 4)
        #expect(lines[0]["route"] as? String == "/v1/users/{id}")
        #expect(lines[0]["user_id"] as? String == "17")
        #expect(lines[0]["method"] as? String == "GET")
        #expect(lines[0]["status"] as? Int == 200)
        #expect(lines[0]["duration_ms"] is NSNumber)
        #expect(lines[0]["hb.request.id"] == nil)
        #expect((lines[0]["request_id"] as? String)?.isEmpty == false)
        #expect(lines[3]["route"] as? String == "unmatched")
        let samples = try PrometheusParser(fixture.registry.render()).samples
        let labels = "method=GET,route=/v1/users/{id},status=2xx"
        #expect(samples["http_requests_total{\(labels)}"] == 3)
        #expect(samples["http_request_duration_seconds_count{\(labels)}"] == 3)
        #expect(samples["http_requests_total{method=GET,route=unmatched,status=4xx}"] == 1)
    }
}
