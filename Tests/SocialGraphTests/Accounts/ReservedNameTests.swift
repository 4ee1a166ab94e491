import TestSupport
import Testing
import Text

@testable import SocialGraph

/// Usernames that could be mistaken for the operator.
@Suite(.timeLimit(.unit))
struct ReservedNameTests {
    @Test(arguments: ["admin", "ADMIN", "Ad.min_", "adm1n", "r00t", "m0derator", "0ff1c1al", "help", "he1p"])
    func `a reserved name is found in other spellings`(name: String) {
        #expect(ReservedNames.contains(name))
    }

    @Test(arguments: ["adminton", "ada", "rooth", "user1", "badminton", "m0", "1", "_", ""])
    func `other names are free`(name: String) {
        #expect(!ReservedNames.contains(name))
    }

    @Test func `nobody takes a reserved name, by signing up or by renaming`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let refusal = GraphError.reservedUsername("adm1n")
            await #expect(throws: refusal) {
                try await graph.accounts.createAccount(
                    username: "adm1n", email: nil, passwordHash: nil, refusesReserved: true)
            }
            let ann = try await graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil).id
            var change = ProfileChange()
            change.username = "adm1n"
            await #expect(throws: refusal) { try await graph.accounts.changeProfile(of: ann, change) }
            // The operator can assign reserved names.
            _ = try await graph.accounts.createAccount(username: "admin", email: nil, passwordHash: nil)
        }
    }
}
