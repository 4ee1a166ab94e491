import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Each row of a moderators' list shows what it shows alone, and a longer list takes no more round trips.
@Suite(.timeLimit(.unit))
struct ModerationListTests {
    @Test
    func `members and bans have their strikes and entries`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (owner, members) = (town.owner, town.members)
            for _ in 0..<2 { try await town.order(.warnUser, [.user(members[2])], in: town.square, by: owner) }
            try await town.order(.banMember, [.user(members[0]), .user(members[1])], in: town.square, by: owner)
            // Banned elsewhere as well: that entry is not shown here.
            try await town.order(.banMember, [.user(members[1])], in: town.club, by: town.admin)
            let authority = try await town.graph.moderation.authority(of: owner)
            for limit in [1, 9] {
                let trips = try await fixture.roundTrips { graph in
                    let bans = try await graph.moderationQueries.bans(
                        of: town.square, visibleTo: authority, below: nil, limit: limit)
                    #expect(bans.items.map(\.user) == Array([members[1], members[0]].prefix(limit)))
                    for ban in bans.items {
                        let entry = try #require(ban.entry)
                        #expect(entry.action == .banMember && entry.community == town.square)
                        #expect(entry.subject == .user(ban.user))
                        #expect(try await town.graph.modlog.modlogEntry(entry.id) == entry)
                    }
                }
                // The community, the bans, the ids of their entries, and the entries.
                #expect(trips == 4)
            }
            let listed = try await town.graph.moderationQueries.moderatedMembers(
                of: town.square, visibleTo: authority, below: nil, limit: 9)
            #expect(listed.items.map(\.user) == [members[2]] + town.moderators.reversed() + [owner])
            #expect(listed.items.map(\.strikes) == [2, 0, 0, 0])
        }
    }

    @Test
    func `lists have the newest of many warnings, and members the number of all`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (member, square) = (town.members[2], town.square)
            for index in 0..<300 {
                let (place, owner) =
                    index.isMultiple(of: 3) ? (town.club, town.elsewhere[0]) : (square, town.owner)
                try await town.order(.warnUser, [.user(member)], in: place, by: owner)
            }
            let newest = try await fixture.integers(
                "SELECT seq FROM moderation_entry WHERE action = 'warnUser' ORDER BY seq DESC LIMIT 100")
            let newestHere = try await fixture.integers(
                """
                SELECT seq FROM moderation_entry WHERE action = 'warnUser' AND community_id = \(square.rawValue)
                ORDER BY seq DESC LIMIT 100
                """)
            let authority = try await town.graph.moderation.authority(of: town.owner)
            let rows = CountedRows()
            let graph = GraphStore(database: RowCountingDatabase(inner: fixture.database, rows: rows))
            #expect(try await graph.modlog.strikes(of: member).map(\.entry.rawValue) == newest)
            let here = try await graph.modlog.strikes(of: member, in: square)
            #expect(here.map(\.entry.rawValue) == newestHere && here.allSatisfy { $0.community == square })
            #expect(newest.count == 100 && rows.count == 200)
            let listed = try await graph.moderationQueries.moderatedMembers(
                of: square, visibleTo: authority, below: nil, limit: 9)
            #expect(listed.items.filter { $0.strikes > 0 }.map(\.user) == [member])
            #expect(listed.items.map(\.strikes).max() == 200)
            // The community, the members and their numbers.
            #expect(rows.count - 200 <= 1 + 2 * listed.items.count)
        }
    }

    @Test
    func `held items, reports and communities are explained as each is alone`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await town.order(.holdPost, town.posts.map { .post($0) }, in: town.square, by: town.owner)
            try await town.order(.holdComment, [.comment(town.comments[0])], by: town.siteModerator)
            let held = try await town.graph.queue.queue(QueueFilter(), above: nil, limit: 9, by: town.admin)
            #expect(held.items.map(\.subject.rawValue) == held.items.map(\.subject.rawValue).sorted())
            #expect(held.items.count == 4 && held.items.allSatisfy { $0.reason == "because" && $0.entry != nil })
            for item in held.items {
                let isOfSite = item.subject == .comment(town.comments[0])
                #expect(item.scope == (isOfSite ? .site : .community))
            }
            let site = try await town.graph.moderation.authority(of: town.admin)
            let reports = try await town.graph.reports.reports(ReportFilter(), visibleTo: site, below: nil, limit: 9)
            #expect(reports.items.map(\.id) == town.reports.reversed())
            #expect(reports.items.map(\.excerpt) == ["loose", "post 0"])
            for report in reports.items {
                #expect(try await town.graph.reports.report(report.id, visibleTo: site) == report)
                #expect(report.openReports == 1)
            }
            let communities = try await town.graph.moderationQueries.moderatedCommunities(
                visibleTo: site, matching: nil, below: nil, limit: 9)
            #expect(communities.items.map(\.community.id) == [town.club, town.square])
            #expect(communities.items.map(\.openReports) == [0, 1] && communities.items.map(\.held) == [0, 4])
            let open = try await town.graph.moderationQueries.openCases()
            #expect(open.reports == 2 && open.appeals == 0 && open.held == 4)
        }
    }

    @Test
    func `an order is refused at the first subject that it cannot be about, and changes nothing`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let missing = ModerationSubject.post(PostID(rawValue: 1))
            let posts = town.posts.map { ModerationSubject.post($0) }
            await #expect(throws: ModerationError.subjectNotFound(missing)) {
                try await town.order(
                    .removePost, posts + [missing, .post(town.loose)], in: town.square, by: town.owner)
            }
            await #expect(throws: ModerationError.notApplicable("The post is not in this community.")) {
                try await town.order(
                    .removePost, posts + [.post(town.loose), missing], in: town.square, by: town.owner)
            }
            await #expect(throws: GraphError.communityNotFound) {
                try await town.order(
                    .banMember, [.user(town.members[0])], in: CommunityID(rawValue: 1), by: town.admin)
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post WHERE removed_at IS NOT NULL") == 0)
            // The same subject twice: the second time there is nothing left to do.
            let outcome = try await town.order(.removePost, [posts[0], posts[0]], in: town.square, by: town.owner)
            #expect(outcome.results.map(\.isChanged) == [true, false])
        }
    }
}
