import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Notifications of kind moderation.
@Suite(.timeLimit(.unit))
struct NoticeTests {
    /// The messages of a user's notices, the latest first. Nobody but the user is an actor.
    private func told(_ user: UserID, _ town: ModerationTown) async throws -> [String] {
        let groups = try await town.graph.notifications.notificationGroups(of: user, below: nil, limit: 50)
            .filter { $0.kind == .moderation }
        #expect(groups.allSatisfy { $0.actors.map(\.id) == [user] && $0.post == nil && $0.actorsCount == 1 })
        let notices = try await town.graph.notices.notices(groups.map { ($0.kind, $0.latest.subject) })
        return notices.compactMap { $0?.message }
    }

    @Test
    func `an author learns of a removal and its undo, with the reason`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let author = town.members[0]
            let removal = try await town.order(.removePost, [.post(town.posts[0])], by: town.owner)
            #expect(try await told(author, town) == ["Your post was removed in Square. Reason: because"])
            let batch = try #require(removal.batch)
            let undo = try await town.graph.moderation.undo(batch, by: town.owner, reason: "a mistake")
            #expect(try await told(author, town).first == "Your post was restored. Reason: a mistake")
            _ = try await town.graph.moderation.undo(try #require(undo.batch), by: town.owner)
            let last = try await told(author, town)
            #expect(last.first == "Your post was removed in Square. Reason: because" && last.count == 2)
            #expect(try await told(town.owner, town).isEmpty)
            for other in town.everybody where other != author { #expect(try await told(other, town).isEmpty) }
        }
    }

    @Test
    func `a reporter learns the outcome, neither the reason nor the reported user`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let reporter = town.members[1]
            try await town.order(.claimReport, [.report(town.reports[0])], by: town.owner)
            #expect(try await told(reporter, town).isEmpty)
            try await town.order(.resolveReport, [.report(town.reports[0])], by: town.owner, .resolution(.actioned))
            try await town.order(.resolveReport, [.report(town.reports[1])], by: town.admin, .resolution(.dismissed))
            #expect(
                try await told(reporter, town) == [
                    "Moderators reviewed your report. No action was necessary.", "Moderators acted on your report.",
                ])
            let group = try #require(
                try await town.graph.notifications.notificationGroups(of: reporter, below: nil, limit: 9).first)
            let notice = try #require(try await town.graph.notices.notice(of: group))
            #expect(notice.subject == .report(town.reports[1]) && notice.resolution == .dismissed)
            #expect(notice.reason.isEmpty && notice.community == nil && notice.communityName == nil)
            #expect(try await told(town.members[0], town).isEmpty)
        }
    }

    @Test
    func `an account learns of warnings, limits and their ends, even while it is limited`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let user = town.members[0]
            try await town.order(.warnUser, [.user(user)], in: town.square, by: town.owner)
            try await town.order(.silenceUser, [.user(user)], by: town.admin, endsAt: fixture.clock.now + 1_000)
            #expect(
                try await told(user, town) == [
                    "Your account was limited: only followers see its posts. Reason: because",
                    "You were warned in Square. Reason: because",
                ])
            fixture.clock.advance(by: 2_000)
            _ = try await town.graph.moderation.endExpired(at: fixture.clock.now)
            #expect(try await told(user, town).first == "Your account is no longer limited. Reason: because")
            try await town.order(.suspendUser, [.user(user)], by: town.admin)
            #expect(try await told(user, town).first == "Your account was suspended. Reason: because")
        }
    }

    @Test
    func `an appeal is answered, and a dry run tells nobody`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let author = town.members[0]
            try await town.order(.removePost, [.post(town.posts[0])], by: town.owner, isDryRun: true)
            #expect(try await told(author, town).isEmpty)
            let removal = try await town.order(.removePost, [.post(town.posts[0])], by: town.owner)
            let entry = try #require(removal.results.first?.entry)
            let appeal = try await town.appeal(entry, by: author, in: town.square)
            try await town.order(.decideAppeal, [.appeal(appeal)], by: town.owner, .decision(.granted))
            let last = try await told(author, town).prefix(2)
            #expect(
                Set(last) == [
                    "Your appeal was granted. Reason: because", "Your post was restored. Reason: because",
                ])
        }
    }

    @Test
    func `a deleted account is not notified, and the notices of one go with it`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (author, reporter) = (town.members[0], town.members[1])
            try await town.order(.removePost, [.post(town.posts[0])], by: town.owner)
            for user in [author, reporter] { try await town.graph.erasures.deleteAccount(user) }
            for user in [author, reporter] {
                while try await town.graph.erasures.eraseSome(of: user) == .removed {}
            }
            for table in ["notification", "notification_group"] {
                let isLeft = try await fixture.database.read { reader in
                    try reader.exists("SELECT 1 FROM \(table) WHERE kind = 'moderation'", [])
                }
                #expect(!isLeft, "\(table)")
            }
        }
    }
}
