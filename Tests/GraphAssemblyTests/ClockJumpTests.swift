import Database
import GraphAssembly
import Idempotency
import MediaJobs
import Push
import TestSupport
import Testing

@testable import Moderation
@testable import Sessions
@testable import SocialGraph

/// Expiry and retention under a wall clock that is set 200 days ahead and back.
@Suite(.timeLimit(.unit))
struct ClockJumpTests {
    private static let jump = 200 * Milliseconds.day

    private struct Site {
        let wall: AdjustableClock
        let boot: AdjustableClock
        let clock: SteadyClock
        let database: any TestDatabase
        var graph: GraphStore { GraphStore(database: database) }

        func rows() async throws -> [String: Int64] {
            try await database.read { reader in
                // Rankings are recalculated.
                let kept = StoredTable.ofGraph.map(\.name).filter {
                    !$0.contains("ranking") && !$0.hasPrefix("change")
                }
                return try Dictionary(
                    uniqueKeysWithValues: kept.map { table in
                        (table, try reader.first("SELECT COUNT(*) FROM \"\(table)\"", []) { $0.integer(0) } ?? 0)
                    })
            }
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        try await withGraphLocation { location in
            let (wall, boot) = (AdjustableClock(), AdjustableClock(1_000))
            let clock = SteadyClock(wall: { wall.now }, boot: { boot.now }, bootID: "a")
            let database = try location.open(GraphClock(clock))
            try await closing(database) {
                try await body(Site(wall: wall, boot: boot, clock: clock, database: database))
            }
        }
    }

    /// Runs all periodic tasks.
    private func keepUp(_ site: Site) async throws {
        let graph = site.graph
        try await graph.changes.prune()
        while try await graph.notifications.pruneNotifications(limit: 100) {}
        while try await graph.pushEvents.prunePushes(limit: 100) {}
        _ = try await graph.moderation.endExpired(at: site.clock.expiry())
        _ = try await graph.pushSettings.fireReminders(limit: 10)
        let unused = try await graph.media.unusedMedia(
            above: nil, storedBefore: site.clock.expiry() - Milliseconds.day, limit: 100)
        for media in unused.unused { _ = try await graph.media.deleteMedia(media.id) }
    }

    @Test func `nothing is forgotten and nothing ends`() async throws {
        try await withSite { site in
            let graph = site.graph
            func user(_ name: String) async throws -> UserID {
                try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
            }
            let (ann, bob, eve) = (try await user("ann"), try await user("bob"), try await user("eve"))
            func isSuspended(_ user: UserID) async throws -> Bool {
                try await graph.sessions.tokenRevocationState(of: user)?.suspension != nil
            }
            try await graph.follows.follow(bob, ann)
            let post = try await graph.publish(.sample(ann), key: "k")
            try await graph.likes.like(post.id, by: bob)
            _ = try await graph.sessions.openSession(
                of: ann, refresh: RefreshGrant(digest: [1], lifetime: 90 * Milliseconds.day))
            let ids = try await graph.media.reserveMediaIDs(1)
            _ = try await graph.media.storeMedia(
                [NewMedia(id: ids[0], contentType: "image/png", fileName: "f.png", bytes: 9, sha256: [1])], by: ann)
            _ = try await graph.moderation.appoint(.admin, ann, reason: "the first")
            let suspension = ModerationOrder(
                .suspendUser, [.user(eve)], reason: "spam", endsAt: site.wall.now + 7 * Milliseconds.day)
            _ = try await graph.moderation.moderate(suspension, by: ann)

            try await keepUp(site)
            let before = try await site.rows()
            site.wall.advance(by: Self.jump)
            try await keepUp(site)
            #expect(try await site.rows() == before)
            #expect(try await isSuspended(eve))
            // A repeated request is still known, a session still lasts, and ids do not run ahead.
            await #expect(throws: IdempotencyRefusal.self) { try await graph.publish(.sample(ann), key: "k") }
            _ = try await graph.sessions.refreshSession(
                [1], family: [9], with: RefreshGrant(digest: [2], lifetime: Milliseconds.day * 90))
            let next = try await graph.posts.publish(.sample(ann)).id
            #expect(IDSequence.milliseconds(of: next.rawValue) < site.wall.now - Self.jump + Milliseconds.minute)

            site.wall.advance(by: -Self.jump)
            try await keepUp(site)
            #expect(try await isSuspended(eve))
            // The suspension ends at its time.
            site.wall.advance(by: 7 * Milliseconds.day)
            site.boot.advance(by: 7 * Milliseconds.day)
            try await keepUp(site)
            #expect(try await !isSuspended(eve))
        }
    }

    @Test func `a file that was stored while the clock was behind is not swept when it comes back`() async throws {
        try await withSite { site in
            let graph = site.graph
            let ann = try await graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil).id
            site.wall.advance(by: -Self.jump)
            let ids = try await graph.media.reserveMediaIDs(1)
            _ = try await graph.media.storeMedia(
                [NewMedia(id: ids[0], contentType: "image/png", fileName: "f.png", bytes: 9, sha256: [1])], by: ann)
            site.wall.advance(by: Self.jump)
            try await keepUp(site)
            #expect(try await graph.media.media(ids[0]) != nil)
        }
    }

    @Test func `a jump beyond the last id leaves ids to hand out`() async throws {
        try await withSite { site in
            let graph = site.graph
            site.wall.advance(by: 100 * 366 * Milliseconds.day)
            _ = try await graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil)
            site.wall.advance(by: -100 * 366 * Milliseconds.day)
            _ = try await graph.accounts.createAccount(username: "bob", email: nil, passwordHash: nil)
        }
    }

    @Test func `the time noted last is read back`() async throws {
        try await withSite { site in
            _ = try await site.graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil)
            let mark = try #require(try site.database.clockMark(before: site.wall.now + 1))
            #expect(mark.bootID == nil && site.wall.now - mark.trusted < Milliseconds.second)
            #expect(try site.database.clockMark(before: mark.trusted - 1) == nil)
            try await site.graph.clock.storeClockMark(site.clock.mark)
            #expect(try site.database.clockMark(before: 0) == site.clock.mark)
        }
    }
}
