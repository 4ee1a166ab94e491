import Importing
import TestSupport
import Testing

@testable import Database
@testable import SocialGraph

@Suite(.timeLimit(.process))
struct GroupCommitTests {
    @Test(arguments: Engine.allCases)
    func `concurrent writes share a commit and each gets its own outcome`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let users = try await fixture.users(3)
            let log = CommitLog(of: fixture.database)
            let outcomes = try await fixture.database.inOneGroup(
                (0..<30).map { index in
                    { @Sendable () async throws -> PostID in
                        try await fixture.post(index % 3 == 1 ? UserID(rawValue: 5) : users[index % 3])
                    }
                })
            for (index, outcome) in outcomes.enumerated() {
                #expect(outcome.error as? GraphError == (index % 3 == 1 ? .accountNotFound : nil), "\(index)")
            }
            let posts = outcomes.compactMap { try? $0.get().rawValue }
            #expect(posts == posts.sorted())
            #expect(try await fixture.integers("SELECT id FROM post ORDER BY id") == posts)
            // One commit of the held writer, and one for all thirty writes.
            #expect(log.records.map(\.changes.count) == [0, 20])
            #expect(log.changes.map(\.row.subject) == posts)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred concurrent creations of one name exactly one wins`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let outcomes = await withTaskGroup(of: Result<UserID, any Error>.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        do {
                            return .success(try await fixture.user(index.isMultiple(of: 2) ? "Ann" : "aNN"))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let errors = outcomes.compactMap(\.error)
            #expect(errors.count == 99)
            #expect(Set(errors.map { ($0 as? GraphError)?.code }) == ["username_taken"])
            let stored = try await fixture.integer("SELECT COUNT(*) FROM account")
            #expect(stored == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a request that failed leaves no row, no change and no job`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let ann = try await fixture.user("ann")
            let log = CommitLog(of: fixture.database)
            let unknown = NewPost.sample(ann, with: [UserID(rawValue: 3)])
            // Each request writes a lot before it fails.
            let outcomes = try await fixture.database.inOneGroup(
                { try await fixture.graph.bulkPosts.publish(batch: [.sample(ann), .sample(ann)]).count },
                { try await fixture.graph.bulkPosts.publish(batch: [.sample(ann), .sample(ann), unknown]).count },
                { try await fixture.graph.bulkPosts.publish(batch: [.sample(ann)]).count },
                { try await fixture.graph.bulkPosts.publish(batch: [.sample(ann), unknown]).count }
            )
            #expect(outcomes.map { try? $0.get() } == [2, nil, 1, nil])
            let refusals = outcomes.compactMap { $0.error as? GraphError }
            #expect(refusals == [.unknownCollaborator("3"), .unknownCollaborator("3")])
            for table in ["post", "author_post", "outbox", "change"] {
                #expect(try await fixture.integer("SELECT COUNT(*) FROM \(table)") == 3, "\(table)")
            }
            #expect(try await fixture.graph.accounts.account(ann)?.postsCount == 3)
            #expect(log.changes.count == 3)
            #expect(log.jobs.map(\.id) == (try await fixture.graph.outbox.outboxJobs(above: nil, limit: 10).map(\.id)))
            let record = try #require(log.records.last)
            let sequence = try #require(record.sequence)
            let logged = try await fixture.graph.changes.changes(above: sequence.lowerBound - 1, limit: sequence.count)
            #expect(logged.map(\.change) == record.changes)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a violated constraint undoes its own request only`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let ann = try await fixture.user("ann")
            let outcomes = try await fixture.database.inOneGroup(
                { _ = try await fixture.post(ann) },
                {
                    try await fixture.database.write { transaction in
                        try transaction.execute("UPDATE account SET posts_count = -1", [])
                    }
                },
                { _ = try await fixture.post(ann) }
            )
            #expect(outcomes.map(\.isStorageError) == [false, true, false])
            #expect(try await fixture.graph.accounts.account(ann)?.postsCount == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a lone request that failed leaves nothing either`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let ann = try await fixture.user("ann")
            let log = CommitLog(of: fixture.database)
            for round in 1...3 {
                await #expect(throws: GraphError.unknownCollaborator("3")) {
                    try await fixture.graph.bulkPosts.publish(batch: [
                        .sample(ann), .sample(ann, with: [UserID(rawValue: 3)]),
                    ])
                }
                try await fixture.post(ann)
                #expect(log.records.compactMap(\.sequence).last == Int64(round)...Int64(round))
                #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == Int64(round))
            }
            #expect(log.jobs.map(\.id) == (try await fixture.graph.outbox.outboxJobs(above: nil, limit: 10).map(\.id)))
            #expect(log.changes == (try await fixture.graph.changes.changes(above: 0, limit: 10).map(\.change)))
        }
    }

    @Test(arguments: Engine.allCases)
    func `observers have seen a commit before its caller goes on`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let users = try await fixture.users(20)
            let log = CommitLog(of: fixture.database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let post = try await fixture.post(users[index % 20])
                        #expect(log.changes.contains { $0.row.subject == post.rawValue })
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await fixture.graph.changes.changes(above: 0, limit: 1_000).map(\.change)
            #expect(log.changes == stored)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a queue beyond its bound refuses at once and serves the rest`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let tooMany = 50
            try await withThrowingTaskGroup(of: Bool.self) { group in
                try await fixture.database.whileWriterIsHeld {
                    for _ in 0..<SQLiteDatabase.commitQueueLength + tooMany {
                        group.addTask {
                            do {
                                try await fixture.database.write { _ in }
                                return true
                            } catch DatabaseError.busy {
                                return false
                            }
                        }
                    }
                    // No read or write succeeds while the writer is held, so these can only be refusals.
                    for _ in 0..<tooMany {
                        let served = try await group.next()
                        #expect(served == false)
                    }
                    #expect(fixture.database.waitingWrites == SQLiteDatabase.commitQueueLength)
                }
                for try await served in group { #expect(served) }
            }
            #expect(fixture.database.waitingWrites == 0)
        }
    }
}
