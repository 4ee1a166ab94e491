import Database

@testable import Moderation
@testable import Sessions
@testable import SocialGraph

extension EveryOperation {
    /// Reports, appeals, and the lists that moderators read.
    static func workOnCases(
        on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        let admin = try await graph.accounts.createAccount(username: "chief", email: nil, passwordHash: nil).id
        _ = try await graph.moderation.appoint(.admin, admin, reason: "r")
        let comment = try await graph.comments.comment(on: post, by: bob, content: "c").id
        for subject in [.post(post), .community(group), .user(ann)] as [ModerationSubject] {
            _ = try await graph.reports.report(subject, by: bob, reason: "r", note: "n")
        }
        let report = try await graph.reports.report(.comment(comment), by: ann, reason: "r").id
        _ = try await graph.reports.report(.comment(comment), by: ann, reason: "r")
        _ = try await graph.reports.ownReports(of: ann, below: nil, limit: 5)
        let site = try await graph.moderation.authority(of: admin)
        let owner = ModerationAuthority(user: ann, siteRole: nil, communities: [group: .owner])
        for authority in [site, owner] {
            for user in [nil, bob] {
                for kind in [nil, ModerationSubjectKind.post] {
                    var filter = ReportFilter()
                    (filter.user, filter.kind) = (user, kind)
                    _ = try await graph.reports.reports(filter, visibleTo: authority, below: nil, limit: 5)
                    _ = try await graph.reports.cases(filter, visibleTo: authority, below: nil, limit: 5)
                    filter.subject = .post(post)
                    _ = try await graph.reports.reports(filter, visibleTo: authority, below: nil, limit: 5)
                    _ = try await graph.reports.cases(filter, visibleTo: authority, below: nil, limit: 5)
                }
            }
            _ = try await graph.reports.areHandled(anyOf: [post], by: authority)
            _ = try await graph.reports.report(report, visibleTo: authority)
            _ = try await graph.moderationQueries.moderatedCommunities(
                visibleTo: authority, matching: nil, below: nil, limit: 5)
            _ = try await graph.moderationQueries.moderatedCommunities(
                visibleTo: authority, matching: "group", below: nil, limit: 5)
            _ = try await graph.moderationQueries.moderatedUserCard(of: bob, in: group, visibleTo: authority)
        }
        _ = try await graph.moderationQueries.moderatedUserCard(of: bob, in: nil, visibleTo: site)
        _ = try await graph.moderationQueries.moderatedUsers(matching: "b", limit: 5)
        _ = try await graph.moderationQueries.moderatedUser(username: "bob")
        _ = try await graph.moderationQueries.openCases()
        try await see(graph, bob, group, owner)
        try await appeal(on: graph, bob, admin, group)
    }

    private static func see(
        _ graph: GraphStore, _ bob: UserID, _ group: CommunityID, _ owner: ModerationAuthority
    ) async throws {
        _ = try await graph.moderationQueries.moderatedCommunity(group, visibleTo: owner)
        _ = try await graph.moderation.moderate(
            ModerationOrder(.banMember, [.user(bob)], community: group, reason: "r"), by: nil)
        for name in [nil, "b"] {
            _ = try await graph.moderationQueries.moderatedMembers(
                of: group, named: name, visibleTo: owner, below: nil, limit: 5)
            _ = try await graph.moderationQueries.bans(of: group, named: name, visibleTo: owner, below: nil, limit: 5)
        }
    }

    private static func appeal(
        on graph: GraphStore, _ bob: UserID, _ admin: UserID, _ group: CommunityID
    ) async throws {
        let order = ModerationOrder(.suspendUser, [.user(bob)], reason: "r", note: "n")
        let outcome = try await graph.moderation.moderate(order, by: admin)
        guard let entry = outcome.results.first?.entry, let batch = outcome.batch else { return }
        _ = try await graph.sessions.tokenRevocationState(of: bob)
        _ = try await graph.moderation.siteRole(of: bob)
        for policy in [SecondFactorPolicy.moderators, .none] {
            try await graph.moderation.requireSecondFactor(policy)
            _ = try await graph.moderation.requiresSecondFactor(of: bob)
        }
        _ = try await graph.appeals.appeal(against: entry, by: bob, text: "t")
        _ = try await graph.appeals.appeals(of: bob, below: nil, limit: 5)
        _ = try await graph.notices.notices([(.moderation, entry.rawValue), (.like, 1)])
        _ = try await graph.moderationQueries.ownModeration(of: bob, below: nil, limit: 5)
        let site = try await graph.moderation.authority(of: admin)
        for community in [nil, group] {
            _ = try await graph.appeals.appeals(nil, in: community, visibleTo: site, below: nil, limit: 5)
        }
        _ = try await graph.moderation.undo(batch, by: admin)
    }
}
