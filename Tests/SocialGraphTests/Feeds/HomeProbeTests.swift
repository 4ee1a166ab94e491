@testable import SocialGraph
import Database
import Synchronization
import TestSupport
import Testing

/// Probes of the feeds of few followees.
@Suite(.timeLimit(.process))
struct HomeProbeTests {
    @Test(arguments: [(1, 1), (2, 2), (3, 5), (4, 12), (5, 30), (6, 47)] as [(seed: UInt64, authors: Int)])
    func `feeds of very unequal lengths are merged without a gap`(seed: UInt64, count: Int) async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: seed)
            let graph = fixture.graph
            let authors = try await fixture.users(count, prefix: "author")
            let reader = try await fixture.user("reader")
            for author in authors { try await graph.follows.follow(reader, author) }
            let together = authors.prefix(5)
            for author in together {
                for other in together where other != author { try await graph.follows.follow(author, other) }
            }
            // The first authors write most.
            func author() -> UserID {
                authors[(0..<3).map { _ in Int.random(in: authors.indices, using: &random) }.min() ?? 0]
            }
            let ids = try await fixture.publish(
                (0..<400).map { _ in
                    let (first, second) = (author(), author())
                    let areTogether = first != second && together.contains(first) && together.contains(second)
                    return .sample(first, with: areTogether ? [second] : [])
                })
            let reshares = try await fixture.reshare(ids.shuffled(using: &random).prefix(60).map { ($0, author()) })
            let all = (ids.map(FeedEntry.init) + reshares).sorted { $0.position > $1.position }
            let context = try await graph.feeds.viewerContext(of: reader)
            for cursor in [.end, all[30].position, all[200].position, all[all.count - 2].position] {
                for limit in [1, 2, 7, 40, 150, 500] {
                    let slice = try await graph.feeds.homeSlice(of: context, below: cursor, limit: limit)
                    let expected = all.filter { $0.position < cursor }.prefix(limit)
                    #expect(slice.entries == Array(expected), "below \(cursor), \(limit)")
                    #expect(slice.end == (expected.count < limit ? .beginning : expected.last?.position))
                }
            }
        }
    }

    /// PostgreSQL sends every row that a query asks for.
    @Test
    func `a window costs about as many rows as it has entries`() async throws {
        try await withGraph { fixture in
            let authors = try await fixture.users(40, prefix: "author")
            let reader = try await fixture.user("reader")
            for author in authors { try await fixture.graph.follows.follow(reader, author) }
            let ids = try await fixture.publish((0..<2_400).map { .sample(authors[$0 % 40]) })
            let database = EagerDatabase(inner: fixture.graph.database)
            let entries = try await GraphStore(database: database).feeds.windowEntries(of: reader, limit: 100)
            #expect(entries == ids.suffix(100).reversed().map(FeedEntry.init))
            // Followees, two even shares, and a reserve for each followee.
            #expect(database.counts.withLock(\.rows) <= 40 + 200 + 8 * 40)
        }
    }

    @Test
    func `authors of the same posts are asked in few rounds`() async throws {
        try await withGraph { fixture in
            let authors = try await fixture.users(11, prefix: "author")
            let reader = try await fixture.user("reader")
            for author in authors { try await fixture.graph.follows.follow(reader, author) }
            let ids = try await fixture.publish(
                (0..<500).map { _ in .sample(authors[0], with: Array(authors.dropFirst())) })
            let database = EagerDatabase(inner: fixture.graph.database)
            let entries = try await GraphStore(database: database).feeds.windowEntries(of: reader, limit: 400)
            #expect(entries == ids.suffix(400).reversed().map(FeedEntry.init))
            // 80, 160 and 320 entries of each author; and what is read of the reader.
            #expect(database.counts.withLock(\.fetches) <= 3 + 4)
        }
    }
}

/// A database that reads all rows of each query, and counts round trips and rows.
private final class EagerDatabase: ForwardingDatabase {
    let inner: any GraphDatabase
    let counts = Mutex((fetches: 0, rows: 0))

    init(inner: any GraphDatabase) { self.inner = inner }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read { reader in
            try body(
                EagerReader(
                    inner: reader, noteFetch: { self.counts.withLock { $0.fetches += 1 } },
                    noteRow: { self.counts.withLock { $0.rows += 1 } }))
        }
    }
}

private struct EagerReader: SQLReader {
    let inner: any SQLReader
    let noteFetch: () -> Void
    let noteRow: () -> Void

    var text: any TextSearch { inner.text }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try fetch([SQLQuery(sql, arguments)]) { try row($1) }
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        noteFetch()
        var done: Set<Int> = []
        try inner.fetch(queries) { index, values in
            noteRow()
            if !done.contains(index), try !row(index, values) { done.insert(index) }
            return true
        }
    }
}
