import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Undo of random orders, in any order. Afterwards everything is as before.
@Suite(.timeLimit(.model))
struct UndoTests {
    @Test(arguments: 0..<12)
    func `random actions, undone in a random order, leave every row as it was`(seed: UInt64) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let mutable = ModerationTables.ofChanges.union(["moderation_base"])
            let before = try await fixture.dump(except: mutable)
            var history = ModerationHistory(town: town, seed: seed)
            for _ in 0..<160 {
                try await history.act()
                try await history.checkInvariants("seed \(seed)")
            }
            #expect(history.performed > 20)
            try await history.undoAll("seed \(seed)")
            let left = difference(before, try await fixture.dump(except: mutable))
            #expect(left == nil, "seed \(seed)")
            #expect(try await town.graph.modlog.verifyModlog().brokenAt == nil)
        }
    }

    @Test
    func `what users have changed themselves since, an undo leaves alone`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, square, member) = (town.graph, town.square, town.members[0])
            let promoted = try await town.order(
                .setMemberRole, [.user(member)], in: square, by: town.owner, .memberRole(.moderator))
            let declined = try await town.order(
                .declineRequest, [.user(town.members[2])], in: town.club, by: town.elsewhere[0])
            let transferred = try await town.order(
                .transferCommunity, [.community(square)], by: town.owner, .successor(town.members[1]))
            try await graph.communities.leaveCommunity(square, by: member)
            try await graph.communities.joinCommunity(square, by: member)
            try await graph.communities.joinCommunity(town.club, by: town.members[2])
            try await graph.communities.leaveCommunity(square, by: town.owner)
            let before = try await fixture.dump(
                except: ModerationTables.ofChanges.union(["moderation_base"]))
            for outcome in [promoted, declined, transferred] {
                _ = try await graph.moderation.undo(try #require(outcome.batch), by: town.admin)
            }
            let after = try await fixture.dump(except: ModerationTables.ofChanges.union(["moderation_base"]))
            #expect(difference(before, after) == nil)
        }
    }

    @Test
    func `an undo is undone by its own batch, and that again`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, member) = (town.graph, town.members[0])
            func isMember() async throws -> Bool {
                try await graph.communities.membership(of: member, in: town.square) != nil
            }
            var batch = try #require(
                try await town.order(.banMember, [.user(member)], in: town.square, by: town.owner).batch)
            let first = batch
            #expect(try await !isMember())
            for isBack in [true, false, true, false, true] {
                let outcome = try await graph.moderation.undo(batch, by: town.owner)
                batch = try #require(outcome.batch)
                #expect(try await isMember() == isBack)
                let entry = try #require(try await graph.modlog.modlogEntry(ModlogEntryID(rawValue: 1)))
                #expect(entry.endedBy == nil)
            }
            // The batch has nothing left to undo.
            let again = try await graph.moderation.undo(first, by: town.owner)
            #expect(again.batch == nil && again.results.map(\.isChanged) == [false])
            await #expect(throws: ModerationError.batchNotFound) {
                try await graph.moderation.undo(BatchID(rawValue: 5), by: town.owner)
            }
        }
    }
}

/// Orders by random people, each judged like any other, and reversible acts of users.
struct ModerationHistory {
    let town: ModerationTown
    var random: SplitMix64
    var batches: [(id: BatchID, actor: UserID)] = []
    private(set) var performed = 0
    private var refusal: (any Error)?
    /// Users who have switched off their community in the home timeline.
    private var away: Set<UserID> = []

    init(town: ModerationTown, seed: UInt64) {
        self.town = town
        random = SplitMix64(seed: seed)
    }

    mutating func act() async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try await switchHome()
        case 1: if !batches.isEmpty { try await undo(Int.random(in: 0..<batches.count, using: &random)) }
        default: try await order()
        }
    }

    private mutating func order() async throws {
        let actions = ModerationAction.orderable
        guard let action = actions.randomElement(using: &random),
            let subject = subject(of: action.subjectKind)
        else { return }
        var order = ModerationOrder(action, [subject], reason: "because")
        if action.subjectKind == .post, Bool.random(using: &random) {
            order.subjects += town.posts.map { .post($0) }
        }
        if action.needsCommunity { order.community = Bool.random(using: &random) ? town.square : town.club }
        if action == .approveRequest || action == .declineRequest {
            (order.subjects, order.community) = ([.user(town.members[2])], town.club)
        }
        if action.canExpire, Int.random(in: 0..<3, using: &random) == 0 { order.endsAt = .max }
        order.detail = detail(of: action)
        let callers =
            town.everybody + [town.siteModerator] + Array(repeating: town.admin, count: 6)
            + Array(repeating: town.owner, count: 3)
        guard let actor = callers.randomElement(using: &random) else { return }
        do {
            let outcome = try await town.graph.moderation.moderate(order, by: actor)
            if let batch = outcome.batch {
                batches.append((batch, actor))
                performed += 1
            }
        } catch is ModerationError {
        } catch is GraphError {}
    }

    private mutating func detail(of action: ModerationAction) -> ModerationOrder.Detail? {
        let flag = Bool.random(using: &random)
        let user = (town.everybody).randomElement(using: &random) ?? town.owner
        return switch action {
        case .setMemberRole: .memberRole(flag ? .moderator : .member)
        case .setSiteRole: .siteRole([SiteRole.admin, .moderator, nil].randomElement(using: &random) ?? nil)
        case .renameCommunity: .name(["Square", "Park", "Club", "Park two"].randomElement(using: &random) ?? "x")
        case .transferCommunity: .successor(user)
        case .resolveReport: .resolution(flag ? .actioned : .dismissed)
        case .decideAppeal: .decision(flag ? .granted : .denied)
        default: nil
        }
    }

    private mutating func subject(of kind: ModerationSubjectKind) -> ModerationSubject? {
        switch kind {
        case .post: (town.posts + [town.loose]).randomElement(using: &random).map { .post($0) }
        case .comment: town.comments.randomElement(using: &random).map { .comment($0) }
        case .user: town.everybody.randomElement(using: &random).map { .user($0) }
        case .community: [town.square, town.square, town.club].randomElement(using: &random).map { .community($0) }
        case .report: town.reports.randomElement(using: &random).map { .report($0) }
        case .appeal: nil
        }
    }

    private mutating func switchHome() async throws {
        guard let user = town.everybody.randomElement(using: &random) else { return }
        let isAway = away.contains(user)
        do {
            try await town.graph.communities.setCommunity(town.square, isInHome: isAway, for: user)
            if isAway { away.remove(user) } else { away.insert(user) }
        } catch GraphError.notMember {}
    }

    /// Returns true if the batch was undone or had nothing left to undo.
    @discardableResult
    private mutating func undo(_ index: Int, by someone: UserID? = nil) async throws -> Bool {
        let batch = batches[index]
        do {
            let outcome = try await town.graph.moderation.undo(batch.id, by: someone ?? batch.actor)
            batches.remove(at: index)
            if let next = outcome.batch, Int.random(in: 0..<2, using: &random) == 0, someone == nil {
                // The undo itself is undone, and both must be undone in the end.
                let again = try await town.graph.moderation.undo(next, by: batch.actor)
                if let id = again.batch { batches.append((id, batch.actor)) }
            }
            return true
        } catch let error as ModerationError {
            refusal = error
            return false
        } catch let error as GraphError {
            refusal = error
            return false
        }
    }

    /// Undoes everything in a random order. Batches that cannot be undone yet, such as a rename to a name still in use,
    /// come later.
    mutating func undoAll(_ note: String) async throws {
        let judge = try await town.graph.accounts.createAccount(username: "judge", email: nil, passwordHash: nil).id
        _ = try await town.graph.moderation.appoint(.admin, judge, reason: "to judge")
        while !batches.isEmpty {
            batches.shuffle(using: &random)
            var isChanged = false
            for index in batches.indices.reversed() {
                // A user with a role as high as the judge's can be judged by the actor who gave it.
                var isDone = try await undo(index, by: judge)
                if !isDone { isDone = try await undo(index, by: batches[index].actor) }
                if isDone { isChanged = true }
            }
            guard isChanged else {
                Issue.record("\(note): \(batches.count) batches cannot be undone: \(String(describing: refusal))")
                return
            }
        }
        for user in away { try await town.graph.communities.setCommunity(town.square, isInHome: true, for: user) }
        try await town.fixture.database.write { transaction in
            for table in ["moderation_base WHERE subject_id", "account WHERE id"] {
                try transaction.execute("DELETE FROM \(table) = ?1", [.user(judge)])
            }
        }
    }

    func checkInvariants(_ note: String) async throws {
        let owners = try await town.fixture.integers(
            """
            SELECT (SELECT COUNT(*) FROM community_member WHERE community_id = c.id AND role = 'owner')
            FROM community c
            """
        )
        #expect(owners.allSatisfy { $0 == 1 }, "\(note)")
        let miscounted = try await town.fixture.integers(
            """
            SELECT id FROM community c
            WHERE members_count <> (SELECT COUNT(*) FROM community_member WHERE community_id = c.id)
            """)
        #expect(miscounted.isEmpty, "\(note)")
        let both = try await town.fixture.integers(
            """
            SELECT b.user_id FROM community_ban b JOIN community_member m
            ON m.user_id = b.user_id AND m.community_id = b.community_id
            """)
        #expect(both.isEmpty, "\(note)")
        #expect(try await town.fixture.misplacedHeldComments() == [], "\(note)")
    }
}
