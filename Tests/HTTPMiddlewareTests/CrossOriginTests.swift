import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct CrossOriginTests {
    private static let app = "https://app.example.org"

    private func send(
        _ method: HTTPRequest.Method, _ headers: HTTPFields, allowing origins: AllowedOrigins? = .listed([app])
    ) async throws -> TestResponse {
        let router = Router()
        if let origins { router.add(middleware: CrossOrigin(origins)) }
        router.get("/thing") { _, _ in Response(status: .tooManyRequests, headers: [.retryAfter: "3"]) }
        router.on("/thing", method: .options) { _, _ in Response(status: .noContent, headers: [.allow: "GET, OPTIONS"])
        }
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/thing", method: method, headers: headers)
        }
    }

    @Test func `a preflight lists methods and headers`() async throws {
        let answer = try await send(
            .options, [.origin: Self.app, .accessControlRequestMethod: "GET"])
        #expect(answer.status == .noContent)
        #expect(answer.headers[.accessControlAllowOrigin] == Self.app)
        #expect(answer.headers[.accessControlAllowMethods] == "GET, OPTIONS")
        #expect(answer.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
        #expect(answer.headers[.accessControlMaxAge] == "7200")
        #expect(answer.headers[.vary] == "Origin")
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
    }

    @Test func `an error can be read by a listed origin`() async throws {
        let answer = try await send(.get, [.origin: Self.app])
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers[.accessControlAllowOrigin] == Self.app)
        #expect(answer.headers[.accessControlExposeHeaders]?.contains("Retry-After") == true)
        #expect(answer.headers[.accessControlAllowMethods] == nil)
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
    }

    @Test(arguments: [
        "https://app.example.org.evil.example", "https://evil.example", "http://app.example.org", "null", "",
        "https://app.example.org:8443", "https://app.example.org/", "HTTPS://APP.EXAMPLE.ORG",
    ])
    func `any other origin gets no header, and caches can tell`(origin: String) async throws {
        for headers: HTTPFields in [[.origin: origin], [.origin: origin, .accessControlRequestMethod: "GET"]] {
            let answer = try await send(headers.count == 1 ? .get : .options, headers)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
            #expect(answer.headers[.accessControlAllowHeaders] == nil)
            #expect(answer.headers[.vary] == "Origin")
        }
    }

    @Test func `two origins are none`() async throws {
        var headers: HTTPFields = [.origin: Self.app]
        headers.append(HTTPField(name: .origin, value: Self.app))
        #expect(try await send(.get, headers).headers[.accessControlAllowOrigin] == nil)
    }

    @Test func `a star does not depend on the origin`() async throws {
        let answer = try await send(.get, [.origin: "https://any.example"], allowing: .any)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
        #expect(answer.headers[.vary] == nil)
    }

    @Test func `nothing is added without the setting`() async throws {
        let answer = try await send(.get, [.origin: Self.app], allowing: nil)
        #expect(!answer.headers.contains { $0.name.canonicalName.hasPrefix("access-control") || $0.name == .vary })
    }
}
