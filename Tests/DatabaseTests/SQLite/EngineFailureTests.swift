import Database
import GraphAssembly
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct EngineFailureTests {
    @Test
    func `a full disk fails the whole group and stores nothing of it`() async throws {
        try await withSQLiteGraph { fixture in
            let log = CommitLog(of: fixture.database)
            let ann = try await fixture.user("ann")
            try await fixture.limitPages(extra: 2)
            let outcomes = try await fixture.database.inOneGroup(
                { try await fixture.post(ann) },
                { try await fixture.post(ann, String(repeating: "long ", count: 100_000)) },
                { try await fixture.post(ann) }
            )
            #expect(outcomes.map(\.isStorageError) == [true, true, true])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
            #expect(log.changes.isEmpty)
            #expect(log.jobs.isEmpty)

            try await fixture.limitPages(extra: 1_000)
            let post = try await fixture.post(ann)
            #expect(try await fixture.graph.feeds.homeByDefinition(of: ann) == [FeedEntry(post)])
        }
    }

    @Test
    func `a request that swallows the engine's error does not split the group`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            try await fixture.limitPages(extra: 2)
            let outcomes = try await fixture.database.inOneGroup(
                { _ = try await fixture.post(ann) },
                {
                    try await fixture.database.write { transaction in
                        let long = SQLValue.text(String(repeating: "long ", count: 100_000))
                        _ = try? transaction.execute("INSERT INTO setting (name, value) VALUES ('x', ?1)", [long])
                    }
                },
                { _ = try await fixture.post(ann) }
            )
            let stored = try await fixture.integer("SELECT COUNT(*) FROM post")
            #expect(outcomes.map(\.isStorageError) == [true, true, true])
            #expect(stored == 0)
        }
    }

    @Test
    func `a lone request that swallows the engine's error is told that it failed`() async throws {
        try await withSQLiteGraph { fixture in
            let log = CommitLog(of: fixture.database)
            let ann = try await fixture.user("ann")
            try await fixture.limitPages(extra: 2)
            let error = await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { transaction in
                    _ = try PostStore.Writer(transaction).insert(.sample(ann))
                    let long = SQLValue.text(String(repeating: "long ", count: 100_000))
                    _ = try? transaction.execute("INSERT INTO setting (name, value) VALUES ('x', ?1)", [long])
                }
            }
            #expect(error?.detail != nil)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
            #expect(log.changes.isEmpty)
            #expect(log.jobs.isEmpty)
            try await fixture.limitPages(extra: 1_000)
            try await fixture.post(ann)
        }
    }

    @Test
    func `a lock that another opener does not give up fails the group, and it recovers`() async throws {
        try await withSQLiteGraph { fixture in
            let other = try fixture.another()
            let ann = try await fixture.user("ann")
            try await fixture.pragma("busy_timeout = 1")
            try await other.database.whileWriterIsHeld {
                let errors = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            do {
                                try await fixture.post(ann)
                                return false
                            } catch DatabaseError.storage {
                                return true
                            } catch {
                                return false
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(errors.count == 50)
                #expect(!errors.contains(false))
                let stored = try await fixture.integer("SELECT COUNT(*) FROM post")
                #expect(stored == 0)
            }
            try await fixture.post(ann)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 1)
            try other.database.close()
        }
    }

    @Test
    func `a closed database answers with an error instead of hanging`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let fixture = try SQLiteFixture(path: directory + "/graph.db")
            let ann = try await fixture.user("ann")
            try fixture.database.close()
            for _ in 0..<3 {
                await #expect(throws: DatabaseError.self) { try await fixture.post(ann) }
                await #expect(throws: DatabaseError.self) { try await fixture.graph.accounts.account(ann) }
            }
        }
    }

    @Test
    func `a path that cannot be opened is an error of storage that names it`() throws {
        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: "/nowhere/at/all/graph.db") }
        #expect(error?.detail?.contains("/nowhere/at/all/graph.db") == true)
    }
}

extension SQLiteFixture {
    /// Runs a pragma on the writer's connection.
    fileprivate func pragma(_ pragma: String) async throws {
        try await database.write { _ = try $0.first("PRAGMA \(pragma)", []) { _ in } }
    }
}
