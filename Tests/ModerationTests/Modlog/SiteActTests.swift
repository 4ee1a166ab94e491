import Audit
import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Acts of the site's moderators that are in the audit, because the modlog does not have them.
@Suite(.timeLimit(.unit))
struct SiteActTests {
    private func acts(_ graph: GraphStore) async throws -> [AuditNote] {
        try await graph.audit.entries(below: nil, limit: 100).items.map(\.act).reversed()
    }

    @Test func `rules have entries by moderators of the site, not of communities`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let rules = fixture.graph.rules
            let ofSite = try await rules.createRule(
                NewRule("No shops", .link(domains: ["shop.example"], mode: .deny), action: .hold),
                by: town.siteModerator)
            let new = NewRule("Ours", .pattern("b"), action: .flag, community: town.square)
            let ours = try await rules.createRule(new, by: town.owner)
            var change = RuleChange()
            _ = try await rules.changeRule(ofSite.id, change, by: town.admin)
            change.isEnabled = false
            for _ in 0..<2 { _ = try await rules.changeRule(ofSite.id, change, by: town.admin) }
            _ = try await rules.changeRule(ours.id, change, by: town.owner)
            await #expect(throws: ModerationError.self) { try await rules.deleteRule(ofSite.id, by: town.owner) }
            try await rules.deleteRule(ours.id, by: town.admin)
            try await rules.deleteRule(ofSite.id, by: town.admin)
            await #expect(throws: ModerationError.self) { try await rules.deleteRule(ofSite.id, by: town.admin) }
            let place = "community \(town.square.rawValue)"
            #expect(
                try await acts(fixture.graph) == [
                    AuditNote(
                        .ruleAdded, by: .user(town.siteModerator), subject: ofSite.id.rawValue, detail: "No shops"),
                    AuditNote(
                        .ruleChanged, by: .user(town.admin), subject: ofSite.id.rawValue, detail: "enabled; No shops"),
                    AuditNote(
                        .ruleRemoved, by: .user(town.admin), subject: ours.id.rawValue, detail: "\(place); Ours"),
                    AuditNote(
                        .ruleRemoved, by: .user(town.admin), subject: ofSite.id.rawValue, detail: "No shops"),
                ])
        }
    }

    @Test func `classifiers have entries without URL and secret`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let classifiers = fixture.graph.classifiers
            let new = NewClassifier(
                "Spam", url: "https://name:pass@judge.example/", secret: [1], timeout: 100, fallback: .allow)
            let spam = try await classifiers.createClassifier(new, by: town.admin)
            var change = ClassifierChange()
            change.url = "https://name:other@judge.example/"
            change.timeout = 200
            for _ in 0..<2 { _ = try await classifiers.changeClassifier(spam.id, change, by: town.admin) }
            try await classifiers.deleteClassifier(spam.id, by: town.admin)
            #expect(
                try await acts(fixture.graph).map(\.detail) == ["Spam", "url, timeoutMs; Spam", "Spam"])
            #expect(
                try await acts(fixture.graph).map(\.action) == [
                    .classifierAdded, .classifierChanged, .classifierRemoved,
                ])
            #expect(try await acts(fixture.graph).allSatisfy { $0.subject == spam.id.rawValue })
        }
    }

    @Test func `an erased note has one entry, and one that is not there none`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let order = ModerationOrder(.warnUser, [.user(town.members[0])], reason: "r", note: "private")
            let outcome = try await fixture.graph.moderation.moderate(order, by: town.admin)
            let entry = try #require(outcome.results[0].entry)
            await #expect(throws: ModerationError.self) {
                try await fixture.graph.modlog.eraseNote(of: entry, by: town.siteModerator)
            }
            for _ in 0..<2 { try await fixture.graph.modlog.eraseNote(of: entry, by: town.admin) }
            #expect(
                try await acts(fixture.graph) == [
                    AuditNote(.noteErased, by: .user(town.admin), subject: entry.rawValue)
                ])
        }
    }

    @Test func `a description has an entry if the site changes it`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            for (person, text) in [(town.owner, "ours"), (town.admin, "tidy"), (town.admin, "tidy")] {
                _ = try await fixture.graph.joinRequests.changeCommunity(town.square, by: person, description: text)
            }
            #expect(
                try await acts(fixture.graph) == [
                    AuditNote(.communityDescribed, by: .user(town.admin), subject: town.square.rawValue)
                ])
        }
    }

    @Test func `a role that is set on the machine has an entry in the modlog and one in the audit`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let note = AuditNote(.siteRoleSet, by: .machine("root"), subject: ann.rawValue, detail: "admin")
            for _ in 0..<2 {
                _ = try await fixture.graph.moderation.appoint(.admin, ann, reason: "the first", with: note)
            }
            #expect(try await acts(fixture.graph) == [note])
            let entries = try await fixture.database.read { reader in
                try reader.first("SELECT COUNT(*) FROM moderation_entry", []) { $0.integer(0) }
            }
            #expect(entries == 1)
        }
    }
}
