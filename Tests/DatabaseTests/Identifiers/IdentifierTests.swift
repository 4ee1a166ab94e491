import Database
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.process))
struct IdentifierTests {
    @Test(arguments: Engine.allCases)
    func `ids increase across a reopening with an earlier clock`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let first = try fixture.another()
            let ann = try await first.user("ann")
            let before = try await first.post(ann)
            try first.database.close()

            let second = try fixture.another(clock: AdjustableClock(IDSequence.epoch - 1))
            #expect(try await second.post(ann) > before)
            try second.database.close()
        }
    }

    @Test(arguments: Engine.allCases)
    func `ids taken by a request that failed are not handed out again in its group`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let ann = try await fixture.user("ann")
            let taken = Taken()
            let outcomes = try await fixture.database.inOneGroup(
                {
                    try await fixture.database.write { transaction in
                        taken.note(try transaction.nextID())
                        throw Refusal()
                    }
                },
                { taken.note(try await fixture.post(ann).rawValue) }
            )
            #expect(outcomes.map { $0.error as? Refusal } == [Refusal(), nil])
            // The group was run again, because one of its requests failed.
            try #require(taken.all.count == 3)
            #expect(taken.all[1] != taken.all[2])
            let later = try await fixture.post(ann).rawValue
            #expect(taken.all.allSatisfy { $0 < later })
        }
    }

    @Test(arguments: Engine.allCases)
    func `two openers of one file take turns without a duplicate or a step back`(engine: Engine) async throws {
        try await withGraph(on: engine, clock: AdjustableClock(1_780_000_000_000)) { one in
            // The clock of the other opener is an hour behind.
            let other = try one.another(clock: AdjustableClock(1_779_996_400_000))
            let ann = try await one.user("ann")
            var ids: [PostID] = []
            for round in 0..<20 { ids.append(try await (round.isMultiple(of: 2) ? one : other).post(ann)) }
            #expect(zip(ids, ids.dropFirst()).allSatisfy(<))

            let concurrent = try await withThrowingTaskGroup(of: PostID.self) { group in
                for round in 0..<60 {
                    group.addTask { try await (round.isMultiple(of: 2) ? one : other).post(ann) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(concurrent).count == 60)
            #expect(try await one.integer("SELECT COUNT(*) FROM post") == 80)
            let places = try await one.integers("SELECT subject FROM change WHERE kind = 1 ORDER BY seq")
            #expect(places == places.sorted())
            try other.database.close()
        }
    }

    @Test(arguments: Engine.allCases)
    func `id order is commit order under 200 concurrent writers`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let log = CommitLog(of: fixture.database)
            let users = try await fixture.users(10)
            await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        fixture.clock.advance(by: index.isMultiple(of: 2) ? 5 : -5)
                        try await fixture.post(users[index % 10])
                    }
                }
            }
            let posts = log.changes.map(\.row.subject)
            #expect(posts.count == 200)
            #expect(zip(posts, posts.dropFirst()).allSatisfy(<))
            #expect(log.jobs.map(\.id) == log.jobs.map(\.id).sorted())
        }
    }

    @Test(arguments: Engine.allCases)
    func `after the last id writes are refused and nothing is stored`(engine: Engine) async throws {
        let clock = AdjustableClock()
        try await withGraph(on: engine, clock: clock) { fixture in
            let ann = try await fixture.user("ann")
            clock.advance(by: IDSequence.epoch + (1 << 41) - clock.now)
            await #expect(throws: DatabaseError.idSpaceExhausted) { try await fixture.post(ann) }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
            // The last millisecond has 4,096 ids.
            clock.advance(by: -1)
            #expect(try await fixture.post(ann).rawValue == IDSequence.maximum - 4_095)
        }
    }
}

/// The error of a request that fails on purpose.
struct Refusal: Error, Equatable {}
