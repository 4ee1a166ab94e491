import Database
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

/// Expiry of temporary actions, by the test's clock.
@Suite(.timeLimit(.process))
struct ModerationClockTests {
    @Test func `a ban ends in time and restores the membership`() async throws {
        try await GraphdServer.prepared { server async throws in
            let graph = server.graph
            let (owner, member) = (try await server.person(), try await server.person())
            let community = try await graph.communities.createCommunity(name: "runners", description: "", by: owner.id)
                .id
            try await graph.communities.joinCommunity(community, by: member.id)
            let before = try await graph.communities.membership(of: member.id, in: community)
            let end = SystemClock.milliseconds() + 3_600_000
            let time = AdjustableClock(end - 1)
            let clock = ModerationClock(graph: graph, logger: .silent, now: { time.now })
            let (changes, noted) = AsyncStream.makeStream(of: Void.self)
            graph.database.observeCommits { record in
                if record.changes.contains(where: { $0.kind == .membershipChanged }) { noted.yield() }
            }
            var iterator = changes.makeAsyncIterator()
            let running = Task { try await clock.run() }
            defer { running.cancel() }
            let ban = ModerationOrder(
                .banMember, [.user(member.id)], community: community, reason: "r", endsAt: end)
            _ = try await graph.moderation.moderate(ban, by: owner.id)
            _ = await iterator.next()
            #expect(await clock.endDue() <= .milliseconds(1))
            #expect(try await graph.communities.membership(of: member.id, in: community) == nil)

            time.set(end)
            clock.clockChanged()
            _ = await iterator.next()
            #expect(try await graph.communities.membership(of: member.id, in: community) == before)
            var filter = ModlogFilter()
            filter.action = .expire
            let authority = try await graph.moderation.authority(of: owner.id)
            let entries = try await graph.modlog.modlog(filter, visibleTo: authority, below: nil, limit: 5).items
            #expect(entries.count == 1 && entries.first?.actor == nil)
            #expect(await clock.endDue() > .seconds(1), "nothing else is due")
        }
    }
}
