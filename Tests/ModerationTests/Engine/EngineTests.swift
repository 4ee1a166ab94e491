import Database
import Importing
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Orders: all or nothing, dry runs, in bulk, with an end.
@Suite(.timeLimit(.unit))
struct EngineTests {
    @Test
    func `an order that is not right names the field`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (post, user, now) = (
                ModerationSubject.post(town.posts[0]), ModerationSubject.user(town.members[0]),
                fixture.clock.now
            )
            let orders: [(ModerationOrder, field: String)] = [
                (ModerationOrder(.undo, [user], reason: "r"), "action"),
                (ModerationOrder(.removePost, [], reason: "r"), "subjects"),
                (ModerationOrder(.removePost, [post, user], reason: "r"), "subjects"),
                (ModerationOrder(.removePost, Array(repeating: post, count: 1_001), reason: "r"), "subjects"),
                (ModerationOrder(.banMember, [user], reason: "r"), "communityId"),
                (ModerationOrder(.suspendUser, [user], community: town.square, reason: "r"), "communityId"),
                (ModerationOrder(.removePost, [post], reason: " "), "reason"),
                (ModerationOrder(.removePost, [post], reason: String(repeating: "r", count: 501)), "reason"),
                (
                    ModerationOrder(.removePost, [post], reason: "r", note: String(repeating: "n", count: 2_001)),
                    "note"
                ),
                (ModerationOrder(.removePost, [post], reason: "r", endsAt: now), "expiresAt"),
                (ModerationOrder(.restorePost, [post], reason: "r", endsAt: .max), "expiresAt"),
                (ModerationOrder(.setMemberRole, [user], community: town.square, reason: "r"), "role"),
                (
                    ModerationOrder(
                        .setMemberRole, [user], community: town.square, reason: "r", detail: .memberRole(.owner)),
                    "role"
                ),
                (ModerationOrder(.removePost, [post], reason: "r", detail: .name("n")), "name"),
                (ModerationOrder(.decideAppeal, [.appeal(AppealID(rawValue: 1))], reason: "r"), "decision"),
            ]
            for (order, field) in orders {
                await #expect("\(order)") {
                    _ = try await town.graph.moderation.moderate(order, by: town.admin)
                } throws: {
                    guard case .invalidOrder(let named, _)? = $0 as? ModerationError else { return false }
                    return named == field
                }
            }
        }
    }

    @Test
    func `a thousand subjects are one batch, one of them that is not there undoes it all`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let author = town.members[0]
            let batch = (0..<ModerationLimits.subjectsPerOrder).map { NewPost.sample(author, "post \($0)") }
            try await town.graph.bulkPosts.publish(batch: batch)
            let posts = try await fixture.integers("SELECT id FROM post WHERE community_id IS NULL ORDER BY id")
                .dropFirst().map(PostID.init(rawValue:))
            let before = try await fixture.dump(except: ["id_sequence"])
            var subjects = posts.map { ModerationSubject.post($0) }
            let missing = ModerationSubject.post(PostID(rawValue: 3))
            let last = subjects.removeLast()
            await #expect(throws: ModerationError.subjectNotFound(missing)) {
                try await town.order(.takedownPost, subjects + [missing], by: town.siteModerator)
            }
            subjects.append(last)
            let dry = try await town.order(.takedownPost, subjects, by: town.siteModerator, isDryRun: true)
            #expect(dry.isDryRun && dry.batch == nil && dry.results.allSatisfy { $0.isChanged && $0.entry == nil })
            #expect(difference(before, try await fixture.dump(except: ["id_sequence"])) == nil)
            let done = try await town.order(.takedownPost, subjects, by: town.siteModerator)
            #expect(done.results.count == 1_000 && done.results.allSatisfy(\.isChanged))
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post WHERE taken_down_at IS NOT NULL") == 1_000)
            let again = try await town.order(.takedownPost, subjects, by: town.admin)
            #expect(again.batch == nil && !again.results.contains(where: \.isChanged))
            let undone = try await town.graph.moderation.undo(try #require(done.batch), by: town.siteModerator)
            #expect(undone.results.map(\.subject) == subjects)
            let untouched = ModerationTables.ofChanges
            #expect(difference(before.filter { !untouched.contains($0.key) }, try await fixture.dump()) == nil)
        }
    }

    @Test
    func `effects end at their time, in any order, and what holds longer holds on`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, clock, start) = (town.graph, fixture.clock, fixture.clock.now)
            let before = try await fixture.dump()
            let (square, member) = (town.square, town.members[0])
            try await town.order(.banMember, [.user(member)], in: square, by: town.owner, endsAt: start + 3_000)
            // A longer ban supersedes the end of the first one. A shorter ban changes nothing.
            try await town.order(.banMember, [.user(member)], in: square, by: town.owner, endsAt: start + 5_000)
            let shorter = try await town.order(
                .banMember, [.user(member)], in: square, by: town.owner, endsAt: start + 4_000)
            #expect(shorter.batch == nil)
            try await town.order(.warnUser, [.user(town.members[1])], by: town.admin, endsAt: start + 1_000)
            try await town.order(.suspendUser, [.user(town.members[1])], by: town.admin, endsAt: start + 2_000)
            try await town.order(.lockCommunity, [.community(square)], by: town.owner, endsAt: start + 2_000)
            var ends: [Int64?] = []
            var bans: [Int64] = []
            for step in 0...6 {
                clock.advance(by: step == 0 ? 0 : 1_000)
                ends.append(try await graph.moderation.endExpired(at: start + Int64(step) * 1_000).map { $0 - start })
                bans.append(try await fixture.integer("SELECT COUNT(*) FROM community_ban") ?? 0)
            }
            #expect(ends == [1_000, 2_000, 3_000, 5_000, 5_000, nil, nil])
            #expect(bans == [1, 1, 1, 1, 1, 0, 0])
            #expect(difference(before, try await fixture.dump()) == nil)
            let entries = try await graph.modlog.modlog(
                ModlogFilter(), visibleTo: try await graph.moderation.authority(of: town.admin), below: nil, limit: 100
            ).items
            let expired = entries.filter { $0.action == .expire }
            #expect(expired.count == 5 && expired.allSatisfy { $0.actor == nil && $0.endedEntry != nil })
            for entry in entries where entry.action == .banMember || entry.action == .warnUser {
                #expect(entry.endedBy == expired.first { $0.endedEntry == entry.id }?.id)
            }
            await #expect(throws: ModerationError.self) {
                try await graph.moderation.undo(try #require(expired.first).batch, by: town.admin)
            }
        }
    }

    @Test
    func `two moderators at once: one is told that it is so already, or that the case is another's`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let subjects = town.posts.map { ModerationSubject.post($0) }
            let outcomes = try await withThrowingTaskGroup(of: ModerationOutcome.self) { group in
                for actor in town.moderators + [town.owner, town.admin] {
                    group.addTask { try await town.order(.removePost, subjects, by: actor) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // One batch is for the community. The other one is for the site, whose decision is separate.
            #expect(outcomes.count { $0.batch != nil } == 2)
            let report = ModerationSubject.report(town.reports[0])
            let claims = await withTaskGroup(of: ModerationError?.self) { group in
                for actor in town.moderators + [town.owner] {
                    group.addTask {
                        do {
                            try await town.order(.claimReport, [report], by: actor)
                            return nil
                        } catch {
                            return error as? ModerationError
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(claims.count { $0 == nil } == 1 && claims.count { $0 == .claimedByAnother } == 2)
        }
    }

    @Test
    func `a report is claimed, released, resolved and opened again`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let report = ModerationSubject.report(town.reports[0])
            let (one, other) = (town.moderators[0], town.moderators[1])
            func status() async throws -> Int64? {
                try await fixture.integer(
                    """
                    SELECT CASE status WHEN 'open' THEN 0 WHEN 'claimed' THEN claimed_by ELSE -1 END FROM report
                    ORDER BY id
                    """)
            }
            try await town.order(.claimReport, [report], by: one)
            #expect(try await status() == one.rawValue)
            await #expect(throws: ModerationError.claimedByAnother) {
                try await town.order(.resolveReport, [report], by: other, .resolution(.actioned))
            }
            try await town.order(.releaseReport, [report], by: other)
            #expect(try await status() == 0)
            let resolved = try await town.order(.resolveReport, [report], by: other, .resolution(.actioned))
            #expect(try await status() == -1)
            await #expect(throws: ModerationError.alreadyDecided) {
                try await town.order(.claimReport, [report], by: one)
            }
            _ = try await town.graph.moderation.undo(try #require(resolved.batch), by: one)
            #expect(try await status() == 0)
        }
    }

    @Test
    func `a granted appeal undoes what it was against, and is undone with it`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let victim = town.members[0]
            let ban = try await town.order(.banMember, [.user(victim)], in: town.square, by: town.owner)
            let entry = try #require(ban.results[0].entry)
            let appeal = try await town.appeal(entry, by: victim, in: town.square)
            func isMember() async throws -> Bool {
                try await town.graph.communities.membership(of: victim, in: town.square) != nil
            }
            let granted = try await town.order(
                .decideAppeal, [.appeal(appeal)], by: town.siteModerator, .decision(.granted))
            #expect(try await isMember())
            let batch = try #require(granted.batch)
            _ = try await town.graph.moderation.undo(batch, by: town.siteModerator)
            #expect(try await !isMember())
            try await town.order(.decideAppeal, [.appeal(appeal)], by: town.siteModerator, .decision(.denied))
            #expect(try await !isMember())
            await #expect(throws: ModerationError.alreadyDecided) {
                try await town.order(.decideAppeal, [.appeal(appeal)], by: town.admin, .decision(.granted))
            }
        }
    }
}
