import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Reports in one row a subject.
@Suite(.timeLimit(.unit))
struct ReportCaseTests {
    private func cases(
        _ town: ModerationTown, by moderator: UserID, _ status: ReportStatus? = .open, below cursor: Int64? = nil,
        limit: Int = 9
    ) async throws -> Page<ReportCase, Int64> {
        var filter = ReportFilter()
        filter.status = status
        let authority = try await town.graph.moderation.authority(of: moderator)
        return try await town.graph.reports.cases(filter, visibleTo: authority, below: cursor, limit: limit)
    }

    @Test
    func `all reports about a subject are one row with their number, reasons and media`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let reporters = try await fixture.users(14, prefix: "reporter")
            for (index, reporter) in reporters.enumerated() {
                let reason = index.isMultiple(of: 3) ? "rude" : "spam"
                _ = try await town.graph.reports.report(.post(town.posts[0]), by: reporter, reason: reason)
            }
            let person = try await town.graph.reports.report(.user(town.members[0]), by: reporters[0], reason: "bot")
            let found = try await cases(town, by: town.admin).items
            #expect(found.map(\.latest.subject) == [.user(town.members[0]), .post(town.posts[0]), .post(town.loose)])
            #expect(found.map(\.reportsCount) == [1, 15, 1])
            #expect(found[0].latest.id == person.id && found[0].media == nil)
            #expect(
                found[1].reasons.map(\.text) == ["spam", "rude", "r"] && found[1].reasons.map(\.count) == [9, 5, 1])
            #expect(found[1].reports.count == ReportCase.reportsShown)
            #expect(found[1].reports.first == found[1].latest.withoutExcerpt)
            #expect(found[1].media?.url.isEmpty == false && found[1].firstReportedAt == 1)
            // The owner of the community sees its rows only, the same ones.
            #expect(try await cases(town, by: town.owner).items == [found[1]])
        }
    }

    @Test
    func `pages have each subject once, and no more round trips for more rows`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let reporters = try await fixture.users(3, prefix: "reporter")
            for reporter in reporters {
                for post in town.posts {
                    _ = try await town.graph.reports.report(.post(post), by: reporter, reason: "r")
                }
            }
            let authority = try await town.graph.moderation.authority(of: town.admin)
            let whole = try await cases(town, by: town.admin).items
            var (paged, cursor): ([ReportCase], Int64?) = ([], nil)
            repeat {
                let page = try await cases(town, by: town.admin, below: cursor, limit: 1)
                paged += page.items
                cursor = page.next
            } while cursor != nil
            #expect(paged == whole && whole.count == 4)
            for limit in [1, 9] {
                let trips = try await fixture.roundTrips { graph in
                    _ = try await graph.reports.cases(ReportFilter(), visibleTo: authority, below: nil, limit: limit)
                }
                // The ids of the latest reports, these reports, their subjects, and their cases.
                #expect(trips == 4)
            }
        }
    }

    /// A moderator decides the reports up to the one that the row names as its latest.
    @Test
    func `a decision leaves a report open that came in after the row was read`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let reporters = try await fixture.users(2, prefix: "reporter")
            _ = try await town.graph.reports.report(.post(town.posts[0]), by: reporters[0], reason: "spam")
            let row = try #require(try await cases(town, by: town.owner).items.first)
            let late = try await town.graph.reports.report(.post(town.posts[0]), by: reporters[1], reason: "spam")
            var filter = ReportFilter()
            (filter.subject, filter.status) = (row.latest.subject, .open)
            let authority = try await town.graph.moderation.authority(of: town.owner)
            let seen = try await town.graph.reports.reports(
                filter, visibleTo: authority, below: row.latest.id.rawValue + 1, limit: 9)
            #expect(seen.items.count == 2 && Int64(seen.items.count) == row.reportsCount)
            try await town.order(
                .resolveReport, seen.items.map { .report($0.id) }, by: town.owner, .resolution(.actioned))
            let left = try await cases(town, by: town.owner).items
            #expect(left.map(\.latest.id) == [late.id] && left.map(\.reportsCount) == [1])
            let resolved = try await cases(town, by: town.owner, .resolved).items
            #expect(resolved.map(\.reportsCount) == [2])
            #expect(try await cases(town, by: town.owner, nil).items == left + resolved)
        }
    }

    @Test
    func `moderators handle a post while it is held or reported to them`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let people = [town.owner, town.elsewhere[0], town.admin, town.members[0]]
            /// Returns for the owner, another owner, the admin and a member whether they handle a post.
            func handlers(of post: PostID) async throws -> [Bool] {
                var handles: [Bool] = []
                for person in people {
                    let authority = try await town.graph.moderation.authority(of: person)
                    handles.append(try await town.graph.reports.areHandled(anyOf: [post], by: authority))
                }
                return handles
            }
            let (ofCommunity, nobody) = ([true, false, true, false], [false, false, false, false])
            #expect(try await handlers(of: town.posts[0]) == ofCommunity)
            #expect(try await handlers(of: town.posts[1]) == nobody)
            #expect(try await handlers(of: town.loose) == [false, false, true, false])
            try await town.order(.holdPost, [.post(town.posts[1])], by: town.owner)
            #expect(try await handlers(of: town.posts[1]) == ofCommunity)
            try await town.order(.approvePost, [.post(town.posts[1])], by: town.owner)
            #expect(try await handlers(of: town.posts[1]) == nobody)
            try await town.order(
                .resolveReport, [.report(town.reports[0])], by: town.owner, .resolution(.dismissed))
            #expect(try await handlers(of: town.posts[0]) == nobody)
        }
    }
}

extension Report {
    fileprivate var withoutExcerpt: Report {
        var report = self
        (report.excerpt, report.openReports) = ("", 0)
        return report
    }
}
