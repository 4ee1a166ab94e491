import Audit
import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

/// Tokens of the operator's programs, on whichever engine the tests run.
@Suite(.timeLimit(.unit))
struct ServiceTokenTests {
    private static let root = AuditActor.machine("root")

    @Test func `a token is found by its text until it is revoked`() async throws {
        try await withGraph { fixture in
            let store = fixture.graph.serviceTokens
            let added = try await store.add(named: "transcoder", scopes: [.renditions], by: Self.root)
            let other = try await store.add(named: "both", scopes: Set(ServiceScope.allCases), by: Self.root)
            #expect(added.token.createdAt == fixture.clock.now && added.text != other.text)
            let presented = try #require(ServiceTokenText(presented: added.text.text))
            #expect(try await store.token(presented) == added.token)
            #expect(try await store.tokens() == [added.token, other.token])
            #expect(other.token.scopeNames == ["media:renditions", "transcripts:write"])
            #expect(try await store.revoke(added.token.id, by: .user(UserID(rawValue: 7))))
            #expect(try await !store.revoke(added.token.id, by: Self.root))
            #expect(try await store.token(presented) == nil)
            #expect(try await store.tokens() == [other.token])
        }
    }

    @Test func `the database has a digest, and the audit each act`() async throws {
        try await withGraph { fixture in
            let store = fixture.graph.serviceTokens
            let (token, text) = try await store.add(named: "transcoder", scopes: [.renditions], by: Self.root)
            let stored = try await fixture.graph.database.read { reader in
                try reader.first("SELECT digest, name FROM service_token", []) { ($0.blob(0), $0.text(1)) }
            }
            #expect(stored?.0 == text.digest && stored?.0.count == 32)
            _ = try await store.revoke(token.id, by: .user(UserID(rawValue: 7)))
            let acts = try await fixture.graph.audit.entries(.subject(token.id), below: nil, limit: 9).items.map(\.act)
            let detail = "transcoder: media:renditions"
            #expect(
                acts == [
                    AuditNote(
                        .serviceTokenRevoked, by: .user(UserID(rawValue: 7)), subject: token.id, detail: detail),
                    AuditNote(.serviceTokenAdded, by: Self.root, subject: token.id, detail: detail),
                ])
        }
    }

    @Test func `names differ, and there are at most fifty`() async throws {
        try await withGraph { fixture in
            let store = fixture.graph.serviceTokens
            for number in 1...SessionLimits.serviceTokens {
                _ = try await store.add(named: "t\(number)", scopes: [.transcripts], by: Self.root)
            }
            await #expect(throws: ServiceTokenRefusal.nameTaken) {
                try await store.add(named: "t7", scopes: [.transcripts], by: Self.root)
            }
            await #expect(throws: GraphError.limitReached("50 service tokens")) {
                try await store.add(named: "more", scopes: [.transcripts], by: Self.root)
            }
        }
    }

    @Test func `a text that no token has is not looked up`() {
        let text = ServiceTokenText().text
        #expect(ServiceTokenText(presented: text) != nil && text.utf8.count == 55)
        for wrong in [
            "", "graphd-service-", String(text.dropLast()), text + "A", text.replacing("graphd-", with: "Graphd-"),
            String(text.dropLast()) + "é", String(text.dropLast()) + "+",
        ] { #expect(ServiceTokenText(presented: wrong) == nil, "\(wrong)") }
    }
}
