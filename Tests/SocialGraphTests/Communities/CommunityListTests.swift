import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct CommunityListTests {
    @Test
    func `names are found by whole words and the beginning of the last, in any letter case`() async throws {
        try await withGraph { fixture in
            let (graph, owner) = (fixture.graph, try await fixture.user("owner"))
            for name in ["Home Gym", "Gym rats of Oslo", "Oslo cooks", "Gymnastics", "Ünder the gym-roof", "a  b"] {
                _ = try await graph.communities.createCommunity(name: name, description: "", by: owner)
            }
            func names(_ text: String) async throws -> [String] {
                var (found, cursor): ([String], Int64?) = ([], nil)
                repeat {
                    let page = try await graph.communities.communities(matching: text, below: cursor, limit: 2)
                    found += page.items.map(\.name)
                    cursor = page.next
                } while cursor != nil
                return found
            }
            #expect(try await names("gym") == ["Ünder the gym-roof", "Gymnastics", "Gym rats of Oslo", "Home Gym"])
            #expect(try await names("GYM o") == ["Gym rats of Oslo"])
            #expect(try await names("gymn") == ["Gymnastics"])
            #expect(try await names("ÜNDER ROOF") == ["Ünder the gym-roof"])
            #expect(try await names("roof under") == ["Ünder the gym-roof"])
            #expect(try await names("  ") + names("%") == [])
            #expect(try await graph.communities.communities(below: nil, limit: 10).items.map(\.name).first == "a  b")
        }
    }

    @Test
    func `a private community is entered by a moderator's consent`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let id = try await graph.communities.createCommunity(
                name: "c", description: "", by: users[0], isPrivate: true
            ).id
            for user in users[1...2] {
                for _ in 0..<2 { #expect(try await graph.communities.joinCommunity(id, by: user) == .requested) }
            }
            #expect(try await graph.communities.community(id).membersCount == 1)
            let waiting = try await graph.joinRequests.joinRequests(to: id, for: users[0], below: nil, limit: 5)
            #expect(waiting.items.map(\.user) == [users[2], users[1]])
            await #expect(throws: GraphError.notModerator) {
                try await graph.joinRequests.approveRequest(of: users[1], to: id, by: users[2])
            }
            await #expect(throws: GraphError.notModerator) {
                _ = try await graph.joinRequests.joinRequests(to: id, for: users[1], below: nil, limit: 5)
            }
            try await graph.joinRequests.approveRequest(of: users[1], to: id, by: users[0])
            try await graph.joinRequests.approveRequest(of: users[1], to: id, by: users[0])
            try await graph.joinRequests.declineRequest(of: users[2], to: id, by: users[0])
            await #expect(throws: GraphError.joinRequestNotFound) {
                try await graph.joinRequests.approveRequest(of: users[2], to: id, by: users[0])
            }
            #expect(
                try await graph.communities.members(of: id, below: nil, limit: 5).items.map(\.user) == [
                    users[1], users[0],
                ])
            #expect(try await graph.communities.moderators(of: id, limit: 5).map(\.user) == [users[0]])
            // One request is withdrawn, and another ends with a ban.
            for user in users[2...3] { try await graph.communities.joinCommunity(id, by: user) }
            try await graph.communities.leaveCommunity(id, by: users[2])
            try await graph.communities.setBanned(true, users[3], from: id)
            #expect(
                try await graph.joinRequests.joinRequests(to: id, for: users[0], below: nil, limit: 5).items.isEmpty)
        }
    }

    @Test
    func `a community that turns public lets everybody in; only moderators change it, caches follow`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            let id = try await graph.communities.createCommunity(
                name: "c", description: "", by: users[0], isPrivate: true
            ).id
            let log = CommitLog(of: fixture.database)
            await #expect(throws: GraphError.notModerator) {
                _ = try await graph.joinRequests.changeCommunity(id, by: users[1], isPrivate: false)
            }
            let changed = try await graph.joinRequests.changeCommunity(
                id, by: users[0], description: "new", isPrivate: false)
            #expect(!changed.isPrivate && changed.description == "new")
            #expect(log.changes.contains { $0.kind == .communityVisibilityChanged })
            #expect(try await graph.communities.joinCommunity(id, by: users[1]) == .joined)
        }
    }
}
