import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Lists of a moderator of many communities, each of which could fill a page.
@Suite(.timeLimit(.unit))
struct ManyCommunitiesTests {
    private static let communities = 20

    /// Makes `keeper` the owner of communities in each of which three comments are held and reported, and appeals
    /// against the holds are open. Returns the comments, the oldest first.
    private func fill(_ town: ModerationTown, of keeper: UserID) async throws -> [CommentID] {
        let (graph, author) = (town.graph, town.members[1])
        var comments: [CommentID] = []
        for index in 0..<Self.communities {
            let place = try await graph.communities.createCommunity(
                name: "Place \(index)", description: "", by: keeper
            ).id
            var new = NewPost.sample(keeper)
            new.community = place
            let post = try await graph.posts.publish(new).id
            for _ in 0..<3 {
                let comment = try await graph.comments.comment(on: post, by: author, content: "hello").id
                _ = try await graph.reports.report(.comment(comment), by: town.members[2], reason: "r")
                let held = try await town.order(.holdComment, [.comment(comment)], by: keeper)
                _ = try await town.appeal(try #require(held.results[0].entry), by: author, in: place)
                comments.append(comment)
            }
        }
        return comments
    }

    @Test
    func `a page reads the texts of what it shows, however many communities could fill it`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let keeper = town.elsewhere[2]
            let comments = try await fill(town, of: keeper)
            let authority = try await town.graph.moderation.authority(of: keeper)
            let rows = CountedRows()
            let graph = GraphStore(database: RowCountingDatabase(inner: fixture.database, rows: rows))
            var texts = 0
            func expectFewTexts(_ list: String, besides others: Int = 0) {
                // A page of two whole rows for each community would have hundreds.
                #expect(rows.texts - texts - others <= 2 * Self.communities, "\(list): \(rows.texts - texts)")
                texts = rows.texts
            }

            let queue = try await graph.queue.queue(QueueFilter(), above: nil, limit: 1, by: keeper)
            // The role in each community.
            expectFewTexts("queue", besides: Self.communities)
            #expect(queue.items.map(\.subject) == [.comment(comments[0])] && queue.next == comments[0].rawValue)
            #expect(queue.items.map(\.text) == ["hello"] && queue.items.map(\.reason) == ["because"])

            let modlog = try await graph.modlog.modlog(ModlogFilter(), visibleTo: authority, below: nil, limit: 1)
            expectFewTexts("modlog")
            let newest = try #require(comments.last)
            #expect(modlog.items.map(\.subject) == [.comment(newest)] && modlog.next == modlog.items.last?.id.rawValue)

            let reports = try await graph.reports.reports(ReportFilter(), visibleTo: authority, below: nil, limit: 1)
            expectFewTexts("reports")
            #expect(reports.items.map(\.subject) == [.comment(newest)])
            #expect(reports.next == reports.items.last?.id.rawValue)

            let appeals = try await graph.appeals.appeals(nil, in: nil, visibleTo: authority, below: nil, limit: 1)
            expectFewTexts("appeals")
            #expect(appeals.items.map(\.entry.subject) == [.comment(newest)])
            #expect(appeals.next == appeals.items.last?.id.rawValue)
        }
    }
}
