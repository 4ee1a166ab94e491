import GraphHTTP
import HTTPTypes
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// `docs/openapi.yaml` names exactly the paths, methods and codes of the server.
@Suite(.timeLimit(.process), .sharedGraphd)
struct OpenAPITests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every route is described and every described one exists`() throws {
        let (described, registered) = (try APIDescription.documented().all, try APIDescription.registered())
        #expect(described.count > 200)
        #expect(registered.subtracting(described) == [], "not described")
        #expect(described.subtracting(registered) == [], "described only")
    }

    @Test func `the server has the described methods of every path`() async throws {
        let client = server.client(try await server.person())
        let all = try APIDescription.documented().all
        for path in Set(all.map(\.examplePath)) {
            // A fixed path may also match a template of another operation.
            var methods = Set(all.filter { $0.answers(path) }.map(\.method))
            if methods.contains("GET") { methods.insert("HEAD") }
            // No path supports TRACE.
            let answer = try await client.send("TRACE", path)
            #expect(answer.status == 405, "\(path)")
            #expect(answer.header("Allow") == methods.sorted().joined(separator: ", "), "\(path)")
        }
    }

    @Test func `everything else needs a token`() async throws {
        let (all, open) = try APIDescription.documented()
        #expect(open.count == 28)
        for operation in all.subtracting(open) {
            let answer = try await server.client().send(operation.method, operation.examplePath)
            // Each product API has error texts of its own, and the codes of `/v1`.
            #expect(answer.status == 401, "\(operation)")
            #expect(try answer.json["code"] == .string("token_missing"), "\(operation)")
        }
    }

    @Test func `every GET but those of streams and operators may be answered with 304`() throws {
        #expect(
            try APIDescription.unconditional()
                == ["/v1/posts/{id}/stream", "/v1/stream", "/v1/me/export", "/healthz", "/readyz", "/metrics"])
    }

    @Test func `every problem code is described with its status`() throws {
        let codes = ProblemCode.allCases
        let expected = Dictionary(uniqueKeysWithValues: codes.map { ($0.rawValue, $0.status.code) })
        #expect(try APIDescription.problemCodes() == expected)
        let document = try APIDescription.source("docs/openapi.yaml")
        for code in codes { #expect(document.contains("\n        - \(code.rawValue)\n"), "\(code)") }
    }
}
