import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Random acts by a community's roles. None of them undoes a decision of the site, affects outsiders, or reads the
/// site's data. A model beside the graph keeps the site's decisions and is compared after every act.
@Suite(.timeLimit(.model))
struct ScopedHistoryTests {
    /// Runs ten sequences of forty acts for each seed. The site decides between them.
    @Test(arguments: 0..<24)
    func `communities' roles undo nothing of the site's and reach nobody outside`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = ScopedHistory(town: try await ModerationTown(fixture), seed: seed)
            for sequence in 0..<10 {
                try await history.decide()
                for act in 0..<40 {
                    try await history.act()
                    let violation = try await history.violation()
                    try #require(violation == nil, "seed \(seed), sequence \(sequence), act \(act)")
                }
                #expect(try await history.leaks() == [], "seed \(seed), sequence \(sequence)")
            }
            #expect(history.performed > 30 && history.refused > 10)
        }
    }

    /// Shows that the checks can fail: an act of the site in a community's name is noticed.
    @Test
    func `an act that ends a decision of the site is noticed`() async throws {
        var noticed = 0
        for seed in 0..<4 {
            try await withGraph { fixture in
                var history = ScopedHistory(town: try await ModerationTown(fixture), seed: UInt64(seed))
                // Some of the site's orders are not applicable.
                for _ in 0..<5 { try await history.decide() }
                history.traitor = history.town.admin
                for _ in 0..<160 {
                    try await history.act()
                    if try await history.violation() != nil {
                        noticed += 1
                        break
                    }
                }
            }
        }
        #expect(noticed == 4)
    }
}

/// A decision of the site, as a check of the rows that readers see.
struct SiteDecision: Hashable {
    /// A query of one column, and its expected result.
    let query: String
    let answer: Int64
}

struct ScopedHistory {
    let town: ModerationTown
    private var random: SplitMix64
    private var decisions: [SiteDecision] = []
    private var batches: [BatchID] = []
    /// The user whose authority replaces that of the community's roles; nil for the roles' own.
    var traitor: UserID?
    private(set) var performed = 0
    private(set) var refused = 0

    static let secret = "for the site alone"

    init(town: ModerationTown, seed: UInt64) {
        self.town = town
        random = SplitMix64(seed: seed)
    }

    private var staff: [UserID] { [town.owner] + town.moderators }

    // MARK: The site

    /// Random restrictions and settings by the site, each remembered in the model.
    mutating func decide() async throws {
        for _ in 0..<4 {
            guard let (action, subject) = Self.siteActions.randomElement(using: &random).map({ ($0, pick($0)) }),
                !town.elsewhere.contains(where: { .user($0) == subject })
            else { continue }
            let order = order(action, subject)
            do {
                let outcome = try await town.graph.moderation.moderate(order, by: town.siteModerator)
                guard let entry = outcome.results.first?.entry, let batch = outcome.batch else { continue }
                batches.append(batch)
                try await remember(action, order, entry)
            } catch is ModerationError {
            } catch is GraphError {}
        }
    }

    private static let siteActions: [ModerationAction] = [
        .removePost, .holdPost, .takedownPost, .pinPost, .featurePost, .removeComment, .holdComment, .takedownComment,
        .banMember, .setMemberRole, .lockCommunity, .archiveCommunity, .makeCommunityPrivate, .renameCommunity,
        .warnUser, .silenceUser, .claimReport, .resolveReport,
    ]

    /// A later decision about the same subject replaces an earlier one.
    private mutating func remember(
        _ action: ModerationAction, _ order: ModerationOrder, _ entry: ModlogEntryID
    ) async throws {
        let id = order.subjects[0].rawValue
        let here = "community_id = \(town.square.rawValue)"
        func marked(_ table: String, _ column: String) -> String {
            "SELECT \(column) IS NOT NULL FROM \(table) WHERE id = \(id)"
        }
        var name = ""
        if case .name(let given) = order.detail { name = given }
        let query: String? =
            switch action {
            case .removePost: marked("post", "removed_at")
            case .holdPost: marked("post", "held_at")
            case .takedownPost: marked("post", "taken_down_at")
            case .featurePost: marked("post", "featured_at")
            case .pinPost: "SELECT COUNT(*) FROM community_pin WHERE post_id = \(id)"
            case .removeComment: marked("comment", "removed_at")
            case .holdComment: marked("comment", "held_at")
            case .takedownComment: marked("comment", "taken_down_at")
            case .banMember: "SELECT COUNT(*) FROM community_ban WHERE user_id = \(id) AND \(here)"
            case .setMemberRole:
                // A ban on top hides the role of a member.
                """
                SELECT COUNT(*) FROM community_member WHERE user_id = \(id) AND \(here)
                    AND role <> '\(order.detail == .memberRole(.moderator) ? "moderator" : "member")'
                """
            case .lockCommunity: marked("community", "locked_at")
            case .archiveCommunity: marked("community", "archived_at")
            case .makeCommunityPrivate: "SELECT is_private FROM community WHERE id = \(id)"
            case .renameCommunity: "SELECT name = '\(name)' FROM community WHERE id = \(id)"
            case .silenceUser: marked("account", "silenced_at")
            case .warnUser:
                "SELECT COUNT(*) FROM moderation_effect WHERE seq = \(entry.rawValue) AND ended_at IS NULL"
            case .claimReport: "SELECT claimed_by = \(town.siteModerator.rawValue) FROM report WHERE id = \(id)"
            case .resolveReport: "SELECT status = 'resolved' FROM report WHERE id = \(id)"
            default: nil
            }
        guard let query else { return }
        if action == .setMemberRole { forgetRole(of: id) }
        if action == .renameCommunity {
            decisions.removeAll { $0.query.hasPrefix("SELECT name") && $0.query.hasSuffix("= \(id)") }
        }
        if action == .resolveReport { decisions.removeAll { $0.query.contains("claimed_by") } }
        let answer = try await town.fixture.integer(query) ?? -1
        decisions.removeAll { $0.query == query }
        decisions.append(SiteDecision(query: query, answer: answer))
    }

    private mutating func forgetRole(of user: Int64) {
        decisions.removeAll { $0.query.contains("FROM community_member WHERE user_id = \(user) ") }
    }

    /// The first broken decision of the site, or effect on outsiders; nil if everything holds.
    func violation() async throws -> String? {
        let queries = decisions.map(\.query)
        // One read for all, because dozens are checked after every act.
        let answers = try await town.fixture.database.read { reader in
            try queries.map { query in try reader.rows(query, []) { $0.integer(0) }.first ?? -1 }
        }
        for (decision, answer) in zip(decisions, answers) where answer != decision.answer {
            return "\(decision.query) is \(answer), not \(decision.answer)"
        }
        let touched = try await town.fixture.integers(
            """
            SELECT e.seq FROM moderation_entry e WHERE e.actor_id IN (\(list(staff + town.members)))
                AND (e.user_id IN (\(list(town.elsewhere))) OR e.community_id IS NULL
                    OR e.community_id <> \(town.square.rawValue))
            """)
        return touched.isEmpty ? nil : "entries \(touched) reach outside"
    }

    private func list(_ users: [UserID]) -> String { users.map { "\($0.rawValue)" }.joined(separator: ", ") }

    // MARK: A community's roles, and its members

    /// One act by somebody in the community: an order, an undo, or an act of an ordinary member.
    mutating func act() async throws {
        let actor = traitor ?? (staff + town.members).randomElement(using: &random) ?? town.owner
        do {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                guard let batch = batches.randomElement(using: &random) else { return }
                if let next = try await town.graph.moderation.undo(batch, by: actor).batch { batches.append(next) }
            case 2: try await live()
            default:
                guard let action = ModerationAction.orderable.randomElement(using: &random) else { return }
                let order = order(action, pick(action))
                if let batch = try await town.graph.moderation.moderate(order, by: actor).batch {
                    batches.append(batch)
                }
            }
            performed += 1
        } catch is ModerationError {
            refused += 1
        } catch is GraphError {}
    }

    /// Leaves and rejoins as a member, edits a post, or appeals.
    private mutating func live() async throws {
        let member = town.members.randomElement(using: &random) ?? town.members[0]
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            try await town.graph.communities.leaveCommunity(town.square, by: member)
            // Leaving gives up a role given by the site. Restrictions by the site stay.
            decisions.removeAll {
                $0.query.contains("user_id = \(member.rawValue) ") && $0.query.contains("role <> 'moderator'")
            }
            try await town.graph.communities.joinCommunity(town.square, by: member)
        case 1:
            var change = PostChange()
            change.caption = "edited \(Int.random(in: 0..<1_000, using: &random))"
            let index = town.members.firstIndex(of: member) ?? 0
            _ = try await town.graph.posts.editPost(town.posts[index], by: member, change)
        default:
            let entries = try await town.graph.moderationQueries.ownModeration(of: member, below: nil, limit: 10).items
            guard let entry = entries.randomElement(using: &random)?.entry.id else { return }
            let appeal = try await town.graph.appeals.appeal(against: entry, by: member, text: "please")
            let decide = ModerationOrder(
                .decideAppeal, [.appeal(appeal.id)], reason: "because", detail: .decision(.granted))
            _ = try await town.graph.moderation.moderate(decide, by: traitor ?? town.owner)
        }
    }

    private mutating func pick(_ action: ModerationAction) -> ModerationSubject {
        let people = town.members + town.moderators + town.elsewhere + [town.owner, town.siteModerator]
        switch action.subjectKind {
        case .post: return .post((town.posts + [town.loose]).randomElement(using: &random) ?? town.loose)
        case .comment: return .comment(town.comments.randomElement(using: &random) ?? town.comments[0])
        case .user: return .user(people.randomElement(using: &random) ?? town.owner)
        case .community: return .community(Int.random(in: 0..<8, using: &random) == 0 ? town.club : town.square)
        case .report: return .report(town.reports.randomElement(using: &random) ?? town.reports[0])
        case .appeal: return .appeal(AppealID(rawValue: 1))
        }
    }

    private mutating func order(_ action: ModerationAction, _ subject: ModerationSubject) -> ModerationOrder {
        let people = staff + town.members + town.elsewhere
        var order = ModerationOrder(action, [subject], reason: "because", note: Self.secret)
        if action.needsCommunity || action == .warnUser && Bool.random(using: &random) { order.community = town.square }
        order.detail =
            switch action {
            case .setMemberRole: .memberRole(Bool.random(using: &random) ? .moderator : .member)
            case .renameCommunity: .name(["Square", "Park", "Decent"].randomElement(using: &random) ?? "Park")
            case .resolveReport: .resolution(.dismissed)
            case .decideAppeal: .decision(.granted)
            case .transferCommunity: .successor(people.randomElement(using: &random) ?? town.owner)
            case .setSiteRole: .siteRole(.moderator)
            default: nil
            }
        return order
    }

    // MARK: What is read

    /// The site's data that community roles can read: notes, cases and outsiders.
    func leaks() async throws -> [String] {
        var found: [String] = []
        for user in staff {
            let authority = try await town.graph.moderation.authority(of: user)
            guard authority.siteRole == nil, authority.communities[town.square] != nil else { continue }
            let graph = town.graph
            let log = try await graph.modlog.modlog(ModlogFilter(), visibleTo: authority, below: nil, limit: 100).items
            found += log.filter { $0.scope == .site && $0.note != nil }.map { "note of \($0.id)" }
            found += log.filter { $0.community != town.square }.map { "entry \($0.id)" }
            let reports = try await graph.reports.reports(ReportFilter(), visibleTo: authority, below: nil, limit: 100)
                .items
            found += reports.filter { $0.community != town.square }.map { "report \($0.id)" }
            let appeals = try await graph.appeals.appeals(nil, in: nil, visibleTo: authority, below: nil, limit: 100)
                .items
            found += appeals.filter { $0.entry.scope == .site }.map { "appeal \($0.id)" }
            for stranger in town.elsewhere {
                let card = try? await graph.moderationQueries.moderatedUserCard(
                    of: stranger, in: town.square, visibleTo: authority)
                if card != nil { found.append("card of \(stranger)") }
            }
            for member in town.members {
                let card = try? await graph.moderationQueries.moderatedUserCard(
                    of: member, in: town.square, visibleTo: authority)
                let entries = card?.entries ?? []
                found += entries.filter { $0.scope == .site && $0.note != nil }.map { "note of \($0.id) on a card" }
                found += (card?.strikes ?? []).filter { $0.community != town.square }.map { "strike \($0.entry)" }
            }
        }
        return found
    }
}
