import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

/// The addresses that an account has logged in from.
@Suite(.timeLimit(.unit))
struct KnownAddressTests {
    @Test
    func `so many are remembered, and the one used the longest time ago gives way`() async throws {
        try await withGraph { fixture in
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let limit = SessionLimits.knownAddressesPerUser
            for number in 0..<limit {
                try await fixture.graph.sessions.rememberAddress([UInt8(number)], of: ann)
                fixture.clock.advance(by: 1)
            }
            try await fixture.graph.sessions.rememberAddress([0], of: ann)
            fixture.clock.advance(by: 1)
            try await fixture.graph.sessions.rememberAddress([200], of: ann)
            for number in 0..<limit {
                #expect(
                    try await fixture.graph.sessions.knowsAddress([UInt8(number)], of: ann) == (number != 1),
                    "\(number)")
            }
            #expect(try await fixture.graph.sessions.knowsAddress([200], of: ann))
            #expect(try await !fixture.graph.sessions.knowsAddress([200], of: bob))
            #expect(try await fixture.integer("SELECT COUNT(*) FROM known_address") == Int64(limit))
        }
    }

    @Test
    func `none is remembered of a deleted account`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            try await fixture.graph.sessions.rememberAddress([1], of: ann)
            try await fixture.graph.erasures.deleteAccount(ann)
            try await fixture.graph.sessions.rememberAddress([2], of: ann)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM known_address") == 0)
        }
    }
}
