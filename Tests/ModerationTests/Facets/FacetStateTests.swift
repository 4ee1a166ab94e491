import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Storage of facet states, and the error for a state that cannot be decoded.
@Suite(.timeLimit(.unit))
struct FacetStateTests {
    private static let (ann, bob) = (UserID(rawValue: 7), UserID(rawValue: IDSequence.maximum))

    static let states: [FacetState] =
        [.flag(since: nil), .flag(since: 0), .flag(since: -1), .flag(since: .max)]
        + [.siteRole(nil)] + SiteRole.allCases.map { .siteRole($0) }
        + ["", "-", "two words", "2 - open", "\n"].map { .name($0) }
        + [.owner(nil), .owner(ann), .owner(bob)]
        + memberships.map { .membership($0) } + reports.map { .report($0) } + appeals.map { .appeal($0) }

    private static let memberships: [MembershipState] = [false, true].flatMap { isBanned in
        ([nil, 5] as [Int64?]).flatMap { request in memberships(isBanned: isBanned, request: request) }
    }

    private static func memberships(isBanned: Bool, request: Int64?) -> [MembershipState] {
        let homes: [(isInHome: Bool, promotedAt: Int64?)] = [(false, nil), (true, nil), (true, 9)]
        var memberships = [MembershipState(isBanned: isBanned, request: request)]
        for role in CommunityRole.allCases {
            for home in homes {
                let member = MembershipState.Member(
                    role: role, position: 3, isInHome: home.isInHome, promotedAt: home.promotedAt)
                memberships.append(MembershipState(isBanned: isBanned, request: request, member: member))
            }
        }
        return memberships
    }

    private static let reports: [ReportState] =
        [.open, .claimed(by: nil), .claimed(by: ann)]
        + ReportResolution.allCases.flatMap { resolution in
            [
                .resolved(resolution, by: nil, at: 5, claimedBy: nil),
                .resolved(resolution, by: ann, at: 5, claimedBy: bob),
            ]
        }

    private static let appeals: [AppealState] =
        [.open]
        + AppealDecision.allCases.flatMap { [.decided($0, by: nil, at: 5), .decided($0, by: bob, at: .max)] }

    static let membershipSteps: [MembershipStep] =
        [.ban, .unban, .decline, .yield(promotedAt: 4), .approve(position: 4, isInHome: true)]
        + [.approve(position: 4, isInHome: false)]
        + CommunityRole.allCases.flatMap { [.role($0, promotedAt: nil), .role($0, promotedAt: 8)] }

    @Test func `every kind of state and of step has samples`() {
        #expect(Set(Self.states.map(\.kind)) == Set(FacetState.Kind.allCases))
        #expect(Set(Self.membershipSteps.map(\.kind)) == Set(MembershipStep.Kind.allCases))
        #expect(Set(Self.reports.map(\.status)) == Set(ReportStatus.allCases))
        #expect(Set(Self.appeals.map(\.status)) == Set(AppealStatus.allCases))
        #expect(Set(Facet.allCases.map(\.stateKind)) == Set(FacetState.Kind.allCases))
    }

    @Test(arguments: Facet.allCases)
    func `every state of a facet comes back as it was written`(facet: Facet) throws {
        let states = Self.states.filter { $0.kind == facet.stateKind }
        #expect(!states.isEmpty)
        for state in states {
            #expect(try FacetState(facet, text: state.text) == state)
            if facet != .membership { #expect(try FacetStep(facet, text: FacetStep.set(state).text) == .set(state)) }
        }
        #expect(Set(states.map(\.text)).count == states.count)
    }

    @Test(arguments: Self.membershipSteps)
    func `every step of a membership state comes back as it was written`(step: MembershipStep) throws {
        #expect(try FacetStep(.membership, text: FacetStep.membership(step).text) == .membership(step))
    }

    @Test func `cases come back from the columns of their tables`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                for report in Self.reports {
                    let found = try transaction.first("SELECT ?1, ?2, ?3, ?4, ?5", report.columns) {
                        try ReportState(row: $0, at: 0)
                    }
                    #expect(found == report)
                }
                for appeal in Self.appeals {
                    let found = try transaction.first("SELECT ?1, ?2, ?3", appeal.columns) {
                        try AppealState(row: $0, status: 0, decidedBy: 1, decidedAt: 2)
                    }
                    #expect(found == appeal)
                }
            }
        }
    }

    @Test(arguments: [
        (Facet.postRemoved, "x"), (.postPinned, "1 2"), (.strike, "1 "), (.communityPrivate, "-"),
        (.accountSiteRole, "owner"), (.communityOwner, "ann"), (.membership, ""), (.membership, "banned"),
        (.membership, "ban - - - - -"), (.membership, "- - member - - -"), (.membership, "- - - - - 3"),
        (.membership, "- - guest 3 home -"), (.membership, "- - member 3 here -"), (.membership, "- - - - - - -"),
        (.report, ""),
        (.report, "open 7"), (.report, "claimed"), (.report, "resolved actioned 7 - 7"), (.report, "closed"),
        (.appeal, "granted 7"), (.appeal, "open - -"), (.appeal, "denied 7 now"),
    ])
    func `a state that cannot have been written is an error`(facet: Facet, text: String) {
        #expect(throws: DatabaseError.self) { try FacetState(facet, text: text) }
    }

    @Test(arguments: ["", "kick", "ban 3", "role member", "role guest -", "yield -", "approve 3", "approve 3 here"])
    func `a step that cannot have been written is an error`(text: String) {
        #expect(throws: DatabaseError.self) { try FacetStep(.membership, text: text) }
    }

    @Test(arguments: [
        "UPDATE moderation_effect SET state = 'damaged' WHERE facet = 'postRemoved'",
        "UPDATE moderation_base SET state = 'damaged' WHERE facet = 'postRemoved'",
        "UPDATE moderation_effect SET facet = 'damaged' WHERE facet = 'postRemoved'",
    ])
    func `damaged state stops an undo, and nothing changes`(damage: String) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let removal = try await town.order(.removePost, [.post(town.posts[0])], by: town.owner)
            let batch = try #require(removal.batch)
            try await fixture.database.write { transaction in
                let changed = try transaction.executeCounting(damage, [])
                #expect(changed > 0)
            }
            let before = try await fixture.dump()
            await #expect {
                _ = try await town.graph.moderation.undo(batch, by: town.owner)
            } throws: { error in
                guard case .storageCorrupt(let detail)? = error as? DatabaseError else { return false }
                return detail.contains("damaged")
            }
            #expect(try await fixture.dump() == before)
        }
    }

    @Test func `a damaged case stops a decision, and nothing changes`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fixture.database.write { transaction in
                let changed = try transaction.executeCounting("UPDATE report SET resolved_at = 5", [])
                #expect(changed > 0)
            }
            let before = try await fixture.dump()
            await #expect {
                let reports = town.reports.map(ModerationSubject.report)
                _ = try await town.order(.resolveReport, reports, by: town.admin, .resolution(.actioned))
            } throws: { error in
                guard case .storageCorrupt? = error as? DatabaseError else { return false }
                return true
            }
            #expect(try await fixture.dump() == before)
        }
    }
}
