@testable import Moderation
@testable import SocialGraph
import Database
import TestSupport

extension EveryOperation {
    /// Every moderation action once, its undo, and all reads about it.
    static func judge(
        on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        let admin = try await graph.accounts.createAccount(username: "admin", email: nil, passwordHash: nil).id
        _ = try await graph.moderation.appoint(.admin, admin, reason: "the first")
        try await graph.communities.joinCommunity(group, by: bob)
        let secret = try await graph.communities.createCommunity(
            name: "secret", description: "", by: ann, isPrivate: true
        ).id
        let comment = try await graph.comments.comment(on: post, by: bob, content: "hello").id
        let report = try await insertReport(on: graph, by: bob, post: post)
        for action in ModerationAction.orderable {
            var order = ModerationOrder(action, [], reason: "r", note: "n")
            switch action.subjectKind {
            case .post: order.subjects = [.post(post)]
            case .comment: order.subjects = [.comment(comment)]
            case .user: order.subjects = [.user(bob)]
            case .community: order.subjects = [.community(group)]
            case .report: order.subjects = [.report(report)]
            case .appeal: continue
            }
            if action.needsCommunity { order.community = group }
            if action == .approveRequest || action == .declineRequest {
                try await graph.communities.joinCommunity(secret, by: bob)
                order.community = secret
            }
            if action.canExpire { order.endsAt = .max }
            order.detail = order.sampleDetail(successor: bob)
            let outcome = try await graph.moderation.moderate(order, by: admin)
            if let batch = outcome.batch {
                let undone = try await graph.moderation.undo(batch, by: admin)
                if let again = undone.batch { _ = try await graph.moderation.undo(again, by: admin, isDryRun: true) }
            }
        }
        try await appeal(on: graph, ann, bob, admin, post)
        try await readModlog(on: graph, admin, bob, post, group)
    }

    private static func insertReport(on graph: GraphStore, by bob: UserID, post: PostID) async throws -> ReportID {
        try await graph.database.write { transaction in
            let id = try transaction.nextID()
            try transaction.execute(
                """
                INSERT INTO report (id, reporter_id, subject_kind, subject_id, reason, note, created_at, status)
                VALUES (?1, ?2, 'post', ?3, 'r', '', 1, 'open')
                """, [.integer(id), .user(bob), .post(post)])
            return ReportID(rawValue: id)
        }
    }

    private static func appeal(
        on graph: GraphStore, _ ann: UserID, _ bob: UserID, _ admin: UserID, _ post: PostID
    ) async throws {
        let outcome = try await graph.moderation.moderate(
            ModerationOrder(.silenceUser, [.user(bob)], reason: "r"), by: admin)
        guard let entry = outcome.results.first?.entry else { return }
        let appeal = try await graph.database.write { transaction in
            let id = try transaction.nextID()
            try transaction.execute(
                "INSERT INTO appeal (id, user_id, seq, text, created_at, status) VALUES (?1, ?2, ?3, 't', 1, 'open')",
                [.integer(id), .user(bob), .integer(entry.rawValue)])
            return AppealID(rawValue: id)
        }
        let order = ModerationOrder(.decideAppeal, [.appeal(appeal)], reason: "r", detail: .decision(.granted))
        if let batch = try await graph.moderation.moderate(order, by: admin).batch {
            _ = try await graph.moderation.undo(batch, by: admin)
        }
        _ = try await graph.moderation.moderate(order, by: admin)
    }

    private static func readModlog(
        on graph: GraphStore, _ admin: UserID, _ bob: UserID, _ post: PostID, _ group: CommunityID
    ) async throws {
        let authority = try await graph.moderation.authority(of: admin)
        let owner = ModerationAuthority(user: bob, siteRole: nil, communities: [group: .owner])
        var everything = ModlogFilter()
        everything.batch = BatchID(rawValue: 1)
        everything.subject = .post(post)
        everything.user = bob
        everything.actor = admin
        everything.community = group
        everything.action = .removePost
        var filters = [ModlogFilter(), everything]
        for part in 0..<5 {
            var filter = ModlogFilter()
            switch part {
            case 0: filter.batch = BatchID(rawValue: 1)
            case 1: filter.subject = .post(post)
            case 2: filter.user = bob
            case 3: filter.actor = admin
            default: filter.community = group
            }
            filters.append(filter)
        }
        for filter in filters {
            for reader in [authority, owner] {
                _ = try await graph.modlog.modlog(filter, visibleTo: reader, below: nil, limit: 5)
            }
        }
        for community in [nil, group] {
            _ = try await graph.modlog.publicModlog(of: community, below: nil, limit: 5)
            _ = try await graph.modlog.strikes(of: bob, in: community)
        }
        _ = try await graph.database.read {
            try ModlogStore.Reader($0).entryInForce(.accountSuspended, of: bob.rawValue)
        }
        _ = try await graph.modlog.verifyModlog()
        try await graph.modlog.eraseNote(of: ModlogEntryID(rawValue: 2), by: admin)
        _ = try await graph.moderation.moderate(
            ModerationOrder(.silenceUser, [.user(bob)], reason: "r", endsAt: .max - 1), by: admin)
        _ = try await graph.moderation.endExpired(at: .max)
    }
}
