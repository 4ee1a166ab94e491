import TestSupport
import Testing

@testable import GraphHTTP

/// The routes that accept an `Idempotency-Key`, and their description.
@Suite(.timeLimit(.unit))
struct IdempotentRoutesTests {
    private func posts() throws -> Set<String> {
        Set(try APIDescription.registered().filter { $0.method == "POST" }.map(\.path))
    }

    private var excepted: [String] { IdempotentRoutes.exceptions.flatMap(\.paths) }

    @Test func `every POST accepts a key or has a reason not to`() throws {
        let listed = Set(IdempotentRoutes.table.keys)
        #expect(listed.count == 31)
        #expect(try posts().subtracting(listed).subtracting(excepted) == [])
        #expect(listed.union(excepted).subtracting(try posts()) == [], "a path without a route")
        #expect(listed.intersection(excepted) == [] && Set(excepted).count == excepted.count)
    }

    /// The reference to the parameter in the description of a route's POST.
    @Test func `the description names the header at exactly these routes`() throws {
        let reference = "        - $ref: '#/components/parameters/IdempotencyKey'"
        let lines = try APIDescription.source("docs/openapi.yaml").split(
            separator: "\n", omittingEmptySubsequences: false)
        var (path, method) = ("", "")
        var described: Set<String> = []
        for line in lines {
            if let match = line.wholeMatch(of: #/  (/[^:]*):/#) { path = String(match.1) }
            if let match = line.wholeMatch(of: #/    ([a-z]+):/#) { method = String(match.1) }
            if line == reference {
                #expect(method == "post", "\(method) \(path)")
                described.insert(path)
            }
        }
        #expect(described == Set(IdempotentRoutes.table.keys))
    }
}
