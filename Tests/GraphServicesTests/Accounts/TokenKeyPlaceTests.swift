import Database
import Foundation
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import Sessions

/// Keys in a database, so that a token is good on every node.
@Suite(.timeLimit(.process))
struct TokenKeyPlaceTests {
    private static func issuer(_ directory: String, _ graph: GraphStore) async throws -> TokenIssuer {
        TokenIssuer(keys: try await TokenKeys(in: try await open(directory, graph)))
    }

    private static func open(
        _ directory: String, _ graph: GraphStore, isOnServer: Bool = true
    ) async throws -> TokenKeyPlace {
        try await TokenKeyPlace.open(directory: directory, graph.database, isOnServer: isOnServer)
    }

    private static func withTwoDirectories(_ body: (GraphFixture, String, String) async throws -> Void) async throws {
        try await withGraph { fixture in
            try await withTemporaryDirectory("keys") { one in
                try await withTemporaryDirectory("keys") { try await body(fixture, one, $0) }
            }
        }
    }

    @Test func `a token of one node is good on another`() async throws {
        try await Self.withTwoDirectories { fixture, one, other in
            let first = try await Self.issuer(one, fixture.graph)
            let second = try await Self.issuer(other, fixture.another().graph)
            let token = try await first.issue(userID: 7, lifetime: .seconds(60)).token
            #expect(try await second.verify(token).userID == 7)
            for directory in [one, other] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
            }
        }
    }

    @Test func `the keys of a directory are carried over once, and its files removed`() async throws {
        try await Self.withTwoDirectories { fixture, one, other in
            _ = try TokenKeyRing.rotate(inDirectory: one, now: 1_000)
            let before = try TokenKeyRing.load(inDirectory: one)
            let token = try await TokenIssuer(keys: TokenKeys(directory: one)).issue(
                userID: 7, lifetime: .seconds(60)
            ).token
            let theirs = try TokenKeyRing.load(inDirectory: other)
            #expect(try await Self.open(one, fixture.graph).ring() == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: one).isEmpty)
            // Those of a second directory are not: the graph has keys.
            #expect(try await Self.open(other, fixture.graph).ring() == before)
            #expect(try TokenKeyRing.load(inDirectory: other) == theirs)
            #expect(try await Self.issuer(other, fixture.graph).verify(token).userID == 7)
        }
    }

    @Test func `a rotation is in force on every node, and so is the end of the old keys`() async throws {
        try await Self.withTwoDirectories { fixture, one, other in
            let first = try await Self.issuer(one, fixture.graph)
            let old = try await first.issue(userID: 7, lifetime: .seconds(60)).token
            let place = try await Self.open(other, fixture.another().graph)
            let now = SystemClock.milliseconds()
            let ring = try await place.rotate(now: now)
            #expect(ring.retired.count == 1)
            try await first.reloadKeys()
            #expect(try await first.verify(old).userID == 7)
            let new = try await first.issue(userID: 8, lifetime: .seconds(60)).token
            #expect(try await TokenIssuer(keys: TokenKeys(in: place)).verify(new).userID == 8)

            #expect(try await place.rotate(now: now, revoking: true).retired.isEmpty)
            try await first.reloadKeys()
            for token in [old, new] { await #expect(throws: Problem.self) { try await first.verify(token) } }
        }
    }

    @Test func `rotations of several nodes follow one another`() async throws {
        try await Self.withTwoDirectories { fixture, one, _ in
            let places = try await [Self.open(one, fixture.graph), Self.open(one, fixture.another().graph)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 { group.addTask { _ = try await places[number % 2].rotate(now: 1_000) } }
                try await group.waitForAll()
            }
            let ring = try await places[0].ring()
            #expect(ring.retired.count == 8 && Set(ring.retired.map(\.key.id)).count == 8)
        }
    }

    @Test func `a longer lifetime of a token is remembered`() async throws {
        try await Self.withTwoDirectories { fixture, one, _ in
            let lifetime = 2 * TokenKeyRing.defaultLifetime
            _ = try await Self.issuer(one, fixture.graph).issue(userID: 7, lifetime: .milliseconds(lifetime))
            let ring = try await Self.open(one, fixture.graph).rotate(now: 1_000)
            #expect(ring.retired.map(\.verifiesUntil) == [1_000 + lifetime])
        }
    }

    @Test func `keys of a graph that moves to a file become files`() async throws {
        try await Self.withTwoDirectories { fixture, one, other in
            let place = try await Self.open(one, fixture.graph)
            let ring = try await place.rotate(now: 1_000)
            #expect(try await Self.open(other, fixture.graph, isOnServer: false).ring() == ring)
            #expect(try TokenKeyRing.load(inDirectory: other) == ring)
            #expect(try await fixture.graph.settings.setting(SettingStore.tokenKeys) == nil)
        }
    }

    @Test func `a damaged setting is refused with a sentence`() async throws {
        try await Self.withTwoDirectories { fixture, one, _ in
            try await fixture.graph.settings.store("{}", as: SettingStore.tokenKeys)
            let failure = await #expect(throws: TokenKey.Unusable.self) {
                try await Self.open(one, fixture.graph).ring()
            }
            #expect(failure?.description.contains("\"token_keys\" is not a key ring of graphd") == true)
        }
    }
}
