import Database
import Foundation
import GraphAssembly

@testable import SocialGraph

/// A graph over a database file of its own, with a clock that the test moves.
package struct GraphFixture: Sendable, GraphScene {
    package let path: String
    package let clock: AdjustableClock
    package let database: SQLiteDatabase
    package let graph: GraphStore

    package init(path: String, clock: AdjustableClock = AdjustableClock()) throws {
        self.path = path
        self.clock = clock
        database = try SQLiteDatabase(path: path) { clock.now }
        graph = GraphStore(database: database)
    }

    /// A second opener of the same file, like another process.
    package func another(clock: AdjustableClock? = nil) throws -> GraphFixture {
        try GraphFixture(path: path, clock: clock ?? self.clock)
    }

    /// Writes reshares in bulk, without jobs and without the checks of a single reshare, for very large networks.
    package func reshare(_ acts: [(post: PostID, user: UserID)]) async throws -> [FeedEntry] {
        try await database.write { transaction in
            try acts.map { act in
                let id = try transaction.nextID()
                try transaction.execute(
                    "INSERT INTO reshare (id, user_id, post_id) VALUES (?1, ?2, ?3)",
                    [.integer(id), .user(act.user), .post(act.post)])
                try transaction.execute(
                    """
                    UPDATE post SET shares_count = shares_count + 1, sharers_count = sharers_count + 1 WHERE id = ?1
                    """, [.post(act.post)])
                return FeedEntry(position: FeedPosition(rawValue: id), post: act.post)
            }
        }
    }

    /// Settles every pending job, and returns them.
    @discardableResult
    package func acknowledgeAll() async throws -> [OutboxJob.Work] {
        let jobs = try await graph.outbox.outboxJobs(above: nil, limit: .max)
        let lease = try await graph.outbox.takeLease(from: .isDead)
        try await graph.outbox.acknowledgeJobs(leaseEpoch: lease.epoch, finished: jobs.map(\.id))
        return jobs.map(\.work)
    }

    /// The pending jobs of the outbox.
    package func work() async throws -> [OutboxJob.Work] {
        try await graph.outbox.outboxJobs(above: nil, limit: .max).map(\.work)
    }

    /// Limits the growth of the file to `extra` pages.
    package func limitPages(extra: Int64) async throws {
        try await database.write { transaction in
            let pages = try transaction.first("PRAGMA page_count", []) { $0.integer(0) } ?? 0
            _ = try transaction.first("PRAGMA max_page_count = \(pages + extra)", []) { _ in }
        }
    }
}

extension NewPost {
    package static func sample(_ author: UserID, _ caption: String = "caption", with collaborators: [UserID] = [])
        -> NewPost
    {
        NewPost(author: author, caption: caption, mediaURL: "https://media.example/1", collaborators: collaborators)
    }
}

/// Runs `body` on a new, empty graph and removes its directory afterwards.
@discardableResult
package func withGraph<T>(
    clock: AdjustableClock = AdjustableClock(), _ body: (GraphFixture) async throws -> T
) async throws -> T {
    try await withTemporaryDirectory("graph") { directory in
        let fixture = try GraphFixture(path: directory + "/graph.db", clock: clock)
        let result: T
        do {
            result = try await body(fixture)
        } catch {
            try? fixture.database.close()
            throw error
        }
        try fixture.database.close()
        return result
    }
}
