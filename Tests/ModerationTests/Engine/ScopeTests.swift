import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Scopes of decisions: roles of a community neither end nor change a decision of the site.
@Suite(.timeLimit(.unit))
struct ScopeTests {
    /// Actions of the site, and the action by which a community's owner tries to undo each.
    private static let contents: [(by: ModerationAction, against: ModerationAction)] = [
        (.removePost, .restorePost), (.holdPost, .approvePost), (.pinPost, .unpinPost), (.featurePost, .unfeaturePost),
        (.removeComment, .restoreComment), (.holdComment, .approveComment), (.lockCommunity, .unlockCommunity),
        (.archiveCommunity, .unarchiveCommunity), (.makeCommunityPrivate, .makeCommunityPublic),
        (.banMember, .unbanMember),
    ]

    @Test(arguments: contents.indices)
    func `a community's owner undoes nothing that the site did`(index: Int) async throws {
        let (action, opposite) = Self.contents[index]
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let subject = town.sample(of: action.subjectKind)
            let place = action.needsCommunity ? town.square : nil
            let done = try await town.order(action, [subject], in: place, by: town.siteModerator)
            let batch = try #require(done.batch)
            let before = try await fixture.dump()
            for actor in [town.owner, town.moderators[0]] where RoleTable.allows(opposite, to: town.role(of: actor)) {
                await #expect(throws: ModerationError.siteDecision, "\(opposite)") {
                    try await town.order(opposite, [subject], in: place, by: actor)
                }
                await #expect(throws: ModerationError.siteDecision) {
                    _ = try await town.graph.moderation.undo(batch, by: actor)
                }
            }
            #expect(difference(before, try await fixture.dump()) == nil)
            // The community can add and end a decision of its own. That of the site stays in force.
            if let own = try? await town.order(action, [subject], in: place, by: town.owner).batch {
                _ = try await town.graph.moderation.undo(own, by: town.owner)
                #expect(difference(before, try await fixture.dump()) == nil)
            }
            _ = try await town.graph.moderation.undo(batch, by: town.admin)
            #expect(try await town.order(opposite, [subject], in: place, by: town.owner).batch == nil)
        }
    }

    @Test
    func `the site's and a community's hold end each for itself`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let post = ModerationSubject.post(town.posts[0])
            func isHeld() async throws -> Bool {
                try await fixture.integer("SELECT COUNT(*) FROM post WHERE held_at IS NOT NULL") == 1
            }
            for siteFirst in [true, false] {
                let order = siteFirst ? [town.admin, town.owner] : [town.owner, town.admin]
                var batches: [UserID: BatchID] = [:]
                for actor in order {
                    batches[actor] = try await town.order(.holdPost, [post], by: actor).batch
                }
                let first = siteFirst ? town.owner : town.admin
                let second = siteFirst ? town.admin : town.owner
                _ = try await town.graph.moderation.undo(try #require(batches[first]), by: first)
                #expect(try await isHeld())
                _ = try await town.graph.moderation.undo(try #require(batches[second]), by: second)
                #expect(try await !isHeld())
            }
            // A post that the site approves is visible. A community can hold it again, and approve it again.
            try await town.order(.holdPost, [post], by: town.admin)
            try await town.order(.approvePost, [post], by: town.siteModerator)
            try await town.order(.holdPost, [post], by: town.owner)
            let queue = try await town.graph.queue.queue(QueueFilter(), above: nil, limit: 9, by: town.owner)
            #expect(queue.items.map(\.subject) == [post] && queue.items.map(\.scope) == [.community])
            try await town.order(.approvePost, [post], by: town.owner)
            #expect(try await !isHeld())
        }
    }

    @Test
    func `names, roles, owners and cases that the site has decided are not a community's to change`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, square) = (town.graph, town.square)
            func refused(
                _ action: ModerationAction, _ subject: ModerationSubject, by actor: UserID,
                _ detail: ModerationOrder.Detail? = nil
            ) async {
                await #expect(throws: ModerationError.siteDecision, "\(action)") {
                    let place = action.needsCommunity ? square : nil
                    try await town.order(action, [subject], in: place, by: actor, detail)
                }
            }
            try await town.order(.renameCommunity, [.community(square)], by: town.admin, .name("Decent"))
            await refused(.renameCommunity, .community(square), by: town.owner, .name("Square"))
            // A member demoted by the site stays so after leaving and joining again.
            let demoted = town.moderators[0]
            try await town.order(.setMemberRole, [.user(demoted)], in: square, by: town.admin, .memberRole(.member))
            await refused(.setMemberRole, .user(demoted), by: town.owner, .memberRole(.moderator))
            try await graph.communities.leaveCommunity(square, by: demoted)
            try await graph.communities.joinCommunity(square, by: demoted)
            await refused(.setMemberRole, .user(demoted), by: town.owner, .memberRole(.moderator))
            let trusted = town.members[0]
            try await town.order(.setMemberRole, [.user(trusted)], in: square, by: town.admin, .memberRole(.moderator))
            await refused(.banMember, .user(trusted), by: town.owner)
            try await town.order(.claimReport, [.report(town.reports[0])], by: town.admin)
            await refused(.releaseReport, .report(town.reports[0]), by: town.owner)
            let warned = try await town.order(.warnUser, [.user(town.members[1])], in: square, by: town.admin)
            await #expect(throws: ModerationError.siteDecision) {
                _ = try await graph.moderation.undo(try #require(warned.batch), by: town.owner)
            }
            let heir = town.members[1]
            try await town.order(.transferCommunity, [.community(square)], by: town.admin, .successor(heir))
            await refused(.transferCommunity, .community(square), by: heir, .successor(town.owner))
            // The former owner is an ordinary moderator.
            try await town.order(.setMemberRole, [.user(town.owner)], in: square, by: heir, .memberRole(.member))
        }
    }

    @Test
    func `what the site takes back or does again is not a community's to turn round`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let post = ModerationSubject.post(town.posts[0])
            let removal = try #require(try await town.order(.removePost, [post], by: town.owner).batch)
            let undone = try #require(try await town.graph.moderation.undo(removal, by: town.admin).batch)
            await #expect(throws: ModerationError.siteDecision) {
                _ = try await town.graph.moderation.undo(undone, by: town.owner)
            }
            let again = try #require(try await town.graph.moderation.undo(undone, by: town.admin).batch)
            for batch in [removal, undone, again] {
                await #expect(throws: ModerationError.siteDecision) {
                    _ = try await town.graph.moderation.undo(batch, by: town.owner)
                }
            }
            await #expect(throws: ModerationError.siteDecision) {
                try await town.order(.restorePost, [post], by: town.owner)
            }
        }
    }

    @Test
    func `an appeal against the site's decision is the site's to decide`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let author = town.members[0]
            let removal = try await town.order(.removePost, [.post(town.posts[0])], by: town.siteModerator)
            let appeal = try await town.graph.appeals.appeal(
                against: try #require(removal.results[0].entry), by: author, text: "please")
            await #expect(throws: ModerationError.notPermitted(.decideAppeal)) {
                try await town.order(.decideAppeal, [.appeal(appeal.id)], by: town.owner, .decision(.granted))
            }
            // The appeal was filed with the community before.
            let ban = try await town.order(.holdPost, [.post(town.posts[0])], by: town.siteModerator)
            let old = try await town.appeal(try #require(ban.results[0].entry), by: author, in: town.square)
            await #expect(throws: ModerationError.siteDecision) {
                try await town.order(.decideAppeal, [.appeal(old)], by: town.owner, .decision(.granted))
            }
        }
    }

    @Test
    func `rules of both scopes act each for itself, and a community cannot let out what the site's holds`() async throws
    {
        try await withModeration { house in
            let graph = house.graph
            func rule(_ word: String, _ action: RuleAction, of community: CommunityID? = nil) async throws {
                let definition = RuleDefinition.keyword(words: [word], wholeWords: true)
                _ = try await graph.rules.createRule(
                    NewRule(word, definition, action: action, community: community), by: house.admin)
            }
            try await rule("spam", .hold)
            try await rule("odd", .flag)
            try await rule("spam", .remove, of: house.community)
            try await rule("odd", .flag, of: house.community)
            var new = NewPost.sample(house.member, "spam")
            new.community = house.community
            let post = ModerationSubject.post(try await graph.posts.publish(new).id)
            let owner = house.owner
            _ = try await graph.moderation.moderate(ModerationOrder(.restorePost, [post], reason: "fine"), by: owner)
            #expect(try await house.state(post) == .held)
            await #expect(throws: ModerationError.siteDecision) {
                _ = try await graph.moderation.moderate(
                    ModerationOrder(.approvePost, [post], reason: "fine"), by: owner)
            }
            let queue = try await graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: owner).items
            #expect(queue.map(\.scope) == [.site])
            // Each scope's moderators get a report of their own.
            new.caption = "odd"
            _ = try await graph.posts.publish(new)
            let (filter, authority) = (ReportFilter(), try await graph.moderation.authority(of: owner))
            let own = try await graph.reports.reports(filter, visibleTo: authority, below: nil, limit: 5).items
            #expect(own.map(\.community) == [house.community] && own.map(\.openReports) == [1])
            #expect(try await house.fixture.integer("SELECT COUNT(*) FROM report") == 2)
        }
    }

    @Test
    func `a community acts on those who have had to do with it, and reads of nobody else`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, square, stranger) = (town.graph, town.square, town.elsewhere[2])
            let authority = try await graph.moderation.authority(of: town.owner)
            func refused(_ user: UserID) async {
                for action in [ModerationAction.warnUser, .banMember, .unbanMember] {
                    await #expect(throws: ModerationError.neverMember(user), "\(action)") {
                        try await town.order(action, [.user(user)], in: square, by: town.owner)
                    }
                }
                await #expect(throws: ModerationError.neverMember(user)) {
                    _ = try await graph.moderationQueries.moderatedUserCard(of: user, in: square, visibleTo: authority)
                }
            }
            func accepted(_ user: UserID) async throws {
                try await town.order(.warnUser, [.user(user)], in: square, by: town.owner)
                _ = try await graph.moderationQueries.moderatedUserCard(of: user, in: square, visibleTo: authority)
            }
            await refused(stranger)
            try await town.order(.warnUser, [.user(stranger)], in: square, by: town.admin)
            await refused(stranger)
            try await graph.comments.comment(on: town.posts[0], by: stranger, content: "I am here")
            try await accepted(stranger)
            let passing = town.elsewhere[1]
            try await graph.communities.joinCommunity(square, by: passing)
            try await graph.communities.leaveCommunity(square, by: passing)
            try await accepted(passing)
            // The user has only asked to join.
            try await town.order(.warnUser, [.user(town.members[2])], in: town.club, by: town.elsewhere[0])
            await #expect(throws: ModerationError.neverMember(town.members[0])) {
                try await town.order(.warnUser, [.user(town.members[0])], in: town.club, by: town.elsewhere[0])
            }
        }
    }

    @Test
    func `the owner alone opens a community, and what was posted for members stays theirs`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, club) = (town.graph, town.club)
            func post(_ caption: String) async throws -> PostID {
                var new = NewPost.sample(town.elsewhere[2], caption)
                new.community = club
                return try await graph.posts.publish(new).id
            }
            let closed = try await post("among us")
            await #expect(throws: ModerationError.notPermitted(.makeCommunityPublic)) {
                _ = try await graph.joinRequests.changeCommunity(club, by: town.elsewhere[1], isPrivate: false)
            }
            _ = try await graph.joinRequests.changeCommunity(club, by: town.elsewhere[0], isPrivate: false)
            let open = try await post("to all")
            _ = try await graph.joinRequests.changeCommunity(club, by: town.elsewhere[0], isPrivate: true)
            let closedAgain = try await post("among us again")
            _ = try await graph.joinRequests.changeCommunity(club, by: town.elsewhere[0], isPrivate: false)
            let posts = try await graph.posts.posts([closed, open, closedAgain])
            #expect(posts.map { $0.community?.isForMembers } == [true, false, true])
            let entries = try await fixture.integers(
                "SELECT seq FROM moderation_entry WHERE action IN ('makeCommunityPublic', 'makeCommunityPrivate')")
            #expect(entries.count == 3)
        }
    }
}

extension ModerationTown {
    func role(of user: UserID) -> ModeratorRole { user == owner ? .communityOwner : .communityModerator }

    /// A subject without any decision.
    func sample(of kind: ModerationSubjectKind) -> ModerationSubject {
        switch kind {
        case .comment: .comment(comments[0])
        case .user: .user(members[0])
        case .community: .community(square)
        default: .post(posts[0])
        }
    }
}
