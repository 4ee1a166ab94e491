import Database
import Privacy
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct FollowRequestTests {
    /// A graph in which `owner` has a private account and `fan` does not follow it.
    private func withPrivateAccount(
        _ body: (GraphFixture, _ owner: UserID, _ fan: UserID, _ other: UserID) async throws -> Void
    ) async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await fixture.graph.setPrivate(true, users[0])
            try await body(fixture, users[0], users[1], users[2])
        }
    }

    private func kinds(_ graph: GraphStore, of user: UserID) async throws -> [NotificationKind] {
        try await graph.notifications.notifications(of: user, below: nil, limit: 10).map(\.kind)
    }

    @Test func `an approved request is a follow, and its sender is notified`() async throws {
        try await withPrivateAccount { fixture, owner, fan, _ in
            let graph = fixture.graph
            #expect(try await graph.follows.follow(fan, owner) == .requested(isNew: true))
            #expect(try await graph.follows.follow(fan, owner) == .requested(isNew: false))
            #expect(try await kinds(graph, of: owner) == [.followRequest])
            #expect(try await graph.accounts.account(owner)?.followersCount == 0)
            try await graph.followRequests.approve(fan, by: owner)
            try await graph.followRequests.approve(fan, by: owner)
            #expect(try await graph.follows.follows(fan, owner))
            #expect(try await graph.accounts.account(owner)?.followersCount == 1)
            #expect(try await kinds(graph, of: owner) == [])
            #expect(try await kinds(graph, of: fan) == [.followAccepted])
            #expect(try await graph.follows.follow(fan, owner) == .following(isNew: false))
            #expect(try await graph.follows.unfollow(fan, owner))
            #expect(try await kinds(graph, of: fan) == [])
        }
    }

    @Test func `a declined or withdrawn request leaves nothing`() async throws {
        try await withPrivateAccount { fixture, owner, fan, _ in
            let graph = fixture.graph
            try await graph.follows.follow(fan, owner)
            #expect(try await graph.followRequests.decline(fan, by: owner))
            #expect(try await !graph.followRequests.decline(fan, by: owner))
            try await graph.follows.follow(fan, owner)
            #expect(try await graph.follows.unfollow(fan, owner))
            #expect(try await graph.followRequests.requests(to: owner, below: nil, limit: 9).items.isEmpty)
            for user in [owner, fan] { #expect(try await kinds(graph, of: user) == []) }
            await #expect(throws: GraphError.followRequestNotFound) {
                try await graph.followRequests.approve(fan, by: owner)
            }
        }
    }

    @Test func `a block removes requests both ways`() async throws {
        try await withPrivateAccount { fixture, owner, fan, other in
            let graph = fixture.graph
            for user in [fan, other] { try await graph.follows.follow(user, owner) }
            try await graph.blocksAndMutes.block(owner, fan)
            try await graph.blocksAndMutes.block(other, owner)
            #expect(try await graph.followRequests.requests(to: owner, below: nil, limit: 9).items.isEmpty)
            #expect(try await graph.followRequests.sentRequests(by: other, below: nil, limit: 9).items.isEmpty)
        }
    }

    @Test func `requests by suspended users are not listed, and those of deleted users are erased`() async throws {
        try await withPrivateAccount { fixture, owner, fan, other in
            let graph = fixture.graph
            for user in [fan, other] { try await graph.follows.follow(user, owner) }
            try await graph.setSuspended(true, fan)
            #expect(
                try await graph.followRequests.requests(to: owner, below: nil, limit: 9).items.map(\.user) == [other])
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.followRequests.approve(fan, by: owner)
            }
            try await graph.erasures.deleteAccount(other)
            #expect(try await graph.followRequests.requests(to: owner, below: nil, limit: 9).items.isEmpty)
            while try await graph.erasures.eraseSome(of: other) != .finished { try await fixture.acknowledgeAll() }
            #expect(try await fixture.integers("SELECT requester_id FROM follow_request") == [fan.rawValue])
        }
    }

    @Test func `a sender has a bounded number of waiting requests`() async throws {
        try await withPrivateAccount { fixture, owner, fan, _ in
            let owners = try await fixture.users(
                Int(SocialGraphLimits.waitingFollowRequests), prefix: "owner", accepting: .nobody)
            try await fixture.database.write { transaction in
                for (index, owner) in owners.enumerated() {
                    try transaction.execute(
                        "INSERT INTO follow_request (requester_id, target_id, position) VALUES (?1, ?2, ?3)",
                        [.integer(fan.rawValue), .integer(owner.rawValue), .integer(Int64(index))])
                }
            }
            await #expect(throws: GraphError.limitReached("1000 waiting follow requests")) {
                try await fixture.graph.follows.follow(fan, owner)
            }
        }
    }

    @Test func `making an account public approves what waits, in steps`() async throws {
        try await withPrivateAccount { fixture, owner, _, _ in
            let graph = fixture.graph
            let fans = try await fixture.users(5, prefix: "fan")
            for fan in fans { try await graph.follows.follow(fan, owner) }
            #expect(try await graph.followRequests.openedAccounts().isEmpty)
            try await graph.setPrivate(false, owner)
            #expect(try await graph.followRequests.openedAccounts() == [owner])
            #expect(try await graph.followRequests.approveWaiting(of: owner, limit: 2))
            #expect(try await graph.accounts.account(owner)?.followersCount == 2)
            // The account is private again: what still waits is the owner's decision.
            try await graph.setPrivate(true, owner)
            #expect(try await !graph.followRequests.approveWaiting(of: owner, limit: 2))
            #expect(
                try await graph.followRequests.requests(to: owner, below: nil, limit: 9).items.map(\.user)
                    == fans.dropFirst(2).reversed())
            try await graph.setPrivate(false, owner)
            while try await graph.followRequests.approveWaiting(of: owner, limit: 2) {}
            #expect(try await graph.accounts.account(owner)?.followersCount == 5)
            #expect(try await graph.followRequests.openedAccounts().isEmpty)
            #expect(try await kinds(graph, of: fans[4]) == [.followAccepted])
        }
    }

    @Test func `a private account shows its followers and followees to followers alone`() async throws {
        try await withPrivateAccount { fixture, owner, fan, other in
            let graph = fixture.graph
            try await graph.follows.follow(owner, other)
            try await graph.follows.follow(fan, owner)
            func shown(to viewer: UserID) async throws -> [Int] {
                var counts: [Int] = []
                for direction in [FollowDirection.followers, .following] {
                    counts.append(
                        try await graph.follows.followList(of: owner, direction, for: viewer, below: nil, limit: 9)
                            .items.count)
                }
                return counts
            }
            #expect(try await shown(to: fan) == [0, 0])
            try await graph.followRequests.approve(fan, by: owner)
            #expect(try await shown(to: fan) == [1, 1])
            #expect(try await shown(to: owner) == [1, 1])
            #expect(try await shown(to: other) == [0, 0])
            try await graph.setPrivate(false, owner)
            #expect(try await shown(to: other) == [1, 1])
        }
    }
}
