import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct LoginEventTests {
    private func origin(_ number: Int) -> LoginOrigin {
        LoginOrigin(address: "192.0.2.\(number)", userAgent: "phone")
    }

    private func events(_ graph: GraphStore, _ user: UserID) async throws -> [LoginEvent] {
        try await graph.sessions.loginEvents(of: user, below: nil, limit: 1_000).items
    }

    @Test func `guesses of an hour from one address are one row, and push out nothing else`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let refresh = RefreshGrant(digest: [1], lifetime: 1_000_000)
            _ = try await graph.sessions.openSession(of: users[0], refresh: refresh, from: origin(1))
            for _ in 0..<3 {
                try await graph.sessions.noteWrongPasswords([
                    WrongPasswords(user: users[0], origin: origin(2), count: 5),
                    WrongPasswords(user: UserID(rawValue: 4), origin: origin(2), count: 1),
                ])
            }
            #expect(try await events(graph, users[0]).map(\.count) == [15, 1])
            fixture.clock.advance(by: Milliseconds.hour)
            try await graph.sessions.noteWrongPasswords([WrongPasswords(user: users[0], origin: origin(2), count: 2)])
            #expect(try await events(graph, users[0]).map(\.count) == [2, 15, 1])

            let many = (0..<SessionLimits.guessEventsPerUser * 3).map {
                WrongPasswords(
                    user: users[0], origin: LoginOrigin(address: "2001:db8::\($0)", userAgent: nil), count: 1)
            }
            try await graph.sessions.noteWrongPasswords(many)
            let kept = try await events(graph, users[0])
            #expect(kept.count == SessionLimits.guessEventsPerUser + 1)
            #expect(kept.first?.origin == many.last?.origin && kept.last?.outcome == .success)
            #expect(try await events(graph, users[1]) == [])
        }
    }

    @Test(arguments: [nil, Milliseconds.day]) func `events are kept for a time`(_ age: Int64?) async throws {
        try await withGraph { fixture in
            let (graph, user) = (fixture.graph, try await fixture.users(1)[0])
            if let age { try await graph.settings.store([.logIns: age]) }
            let refresh = RefreshGrant(digest: Array("r".utf8), lifetime: 1_000_000)
            _ = try await graph.sessions.openSession(of: user, refresh: refresh, from: origin(1))
            fixture.clock.advance(by: age ?? RetainedData.logIns.standard)
            try await graph.changes.prune()
            #expect(try await events(graph, user).count == 1)
            fixture.clock.advance(by: 1)
            try await graph.changes.prune()
            #expect(try await events(graph, user) == [])
        }
    }

    @Test func `the latest events of a user are kept, until the account is deleted`() async throws {
        try await withGraph { fixture in
            let (graph, user) = (fixture.graph, try await fixture.users(1)[0])
            let limit = SessionLimits.loginEventsPerUser
            for number in 0..<limit + 5 {
                let refresh = RefreshGrant(digest: Array("\(number)".utf8), lifetime: 1_000_000)
                _ = try await graph.sessions.openSession(of: user, refresh: refresh, from: origin(number % 200))
            }
            let kept = try await events(graph, user)
            #expect(kept.count == limit && kept.first?.origin == origin((limit + 4) % 200))
            #expect(try await graph.erasures.deleteAccount(user))
            #expect(try await events(graph, user) == [])
        }
    }
}
