import GraphAssembly
import TestSupport
import Testing

@testable import Database
@testable import SocialGraph

@Suite(.timeLimit(.process))
struct LeaseTests {
    private static let terms = LeaseTerms(length: 6_000)

    private static func take(_ fixture: GraphFixture, from former: FormerOwner = .mayLive) async throws -> HeldLease {
        let clock = fixture.clock
        return try await LeaseStore(database: fixture.database).take(
            "work", from: former, terms: terms, boot: { clock.now }, pause: { clock.advance(by: 500) })
    }

    private static func acquire(_ fixture: GraphFixture, _ owner: Int64 = 9) async throws -> Lease {
        try await LeaseStore(database: fixture.database).acquire(
            "work", for: owner, length: terms.length, from: .mayLive)
    }

    /// Writes only under the given lease.
    private static func write(_ fixture: GraphFixture, _ epoch: Int64) async throws {
        try await fixture.database.write { try LeaseStore.Writer($0).require([LeaseStamp(name: "work", epoch: epoch)]) }
    }

    @Test
    func `renewals fall on the same times, whenever the leases were taken`() {
        for taken in [0, 1, 1_999, 2_000, 2_001, 7_777] as [Int64] {
            let next = Self.terms.nextRenewal(after: taken)
            #expect(next > taken && next <= taken + 2_000 && next.isMultiple(of: 2_000))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a lease has one owner until its end, which it moves by renewing`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let first = try await Self.take(fixture)
            #expect(first.epoch == 1)
            fixture.clock.advance(by: Self.terms.renewal)
            #expect(first.untilRenewal <= .zero)
            try await first.renew()
            #expect(first.untilRenewal == .milliseconds(Self.terms.renewal))
            fixture.clock.advance(by: Self.terms.length - 1)
            let held = await #expect(throws: LeaseHeld.self) { try await Self.acquire(fixture) }
            #expect(held?.lease.endsAt == fixture.clock.now + 1)
            #expect(held?.description.contains("2026-05-28T20:26:48Z") == true, "\(held?.description ?? "")")
            try await Self.write(fixture, first.epoch)
            fixture.clock.advance(by: 1)
            #expect(try await Self.acquire(fixture).epoch == 2)
            await #expect(throws: LeaseLost.self) { try await Self.write(fixture, first.epoch) }
            await #expect(throws: LeaseLost.self) { try await first.renew() }
            #expect(!first.isHeld)
            try await Self.write(fixture, 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an owner stops before anybody else may take its lease, and goes on if nobody has`(
        engine: Engine
    ) async throws {
        try await withGraph(on: engine) { fixture in
            let lease = try await Self.take(fixture)
            fixture.clock.advance(by: Self.terms.length - Self.terms.margin - 1)
            #expect(lease.isHeld)
            fixture.clock.advance(by: 1)
            #expect(!lease.isHeld)
            await #expect(throws: LeaseHeld.self) { try await Self.acquire(fixture) }
            fixture.clock.advance(by: 10 * Self.terms.length)
            try await lease.renew()
            #expect(lease.isHeld)
            try await Self.write(fixture, lease.epoch)
        }
    }

    @Test(arguments: Engine.allCases)
    func `what was given up is free at once, and its former owner writes no more`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let lease = try await Self.take(fixture)
            try await lease.release()
            #expect(!lease.isHeld)
            await #expect(throws: LeaseLost.self) { try await Self.write(fixture, lease.epoch) }
            await #expect(throws: LeaseLost.self) { try await lease.renew() }
            let next = try await Self.acquire(fixture)
            #expect(next.epoch > lease.epoch)
            // A late release has no effect.
            try await lease.release()
            #expect(try await LeaseStore(database: fixture.database).lease("work") == next)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the lease of a dead owner is free at once`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let first = try await Self.take(fixture)
            let before = fixture.clock.now
            let second = try await Self.take(fixture, from: .isDead)
            #expect(fixture.clock.now == before)
            #expect(second.epoch > first.epoch)
            await #expect(throws: LeaseLost.self) { try await Self.write(fixture, first.epoch) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `who waits gets the lease at its end, and is refused while it is renewed`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let first = try await Self.take(fixture)
            let began = fixture.clock.now
            let second = try await Self.take(fixture)
            #expect(fixture.clock.now - began == Self.terms.length)
            let clock = fixture.clock
            await #expect(throws: LeaseHeld.self) {
                _ = try await LeaseStore(database: fixture.database).take(
                    "work", from: .mayLive, terms: Self.terms, boot: { clock.now },
                    pause: {
                        clock.advance(by: Self.terms.renewal)
                        try await second.renew()
                    })
            }
            #expect(second.isHeld && !first.isHeld)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an end in a time that a clock has jumped to is not waited for`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let (year, boot) = (365 * Milliseconds.day, AdjustableClock(0))
            fixture.clock.advance(by: year)
            _ = try await Self.acquire(fixture)
            fixture.clock.advance(by: -year)
            let lease = try await LeaseStore(database: fixture.database).take(
                "work", from: .mayLive, terms: Self.terms, boot: { boot.now }, pause: { boot.advance(by: 500) })
            #expect(lease.epoch == 2)
            #expect(boot.now == Self.terms.length)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of several openers of one database one gets the lease`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let others = try (0..<4).map { _ in try fixture.another() }
            let taken = try await withThrowingTaskGroup(of: Lease?.self) { group in
                for (number, other) in others.enumerated() {
                    for attempt in 0..<4 {
                        group.addTask {
                            do {
                                return try await Self.acquire(other, Int64(10 * number + attempt))
                            } catch is LeaseHeld {
                                return nil
                            }
                        }
                    }
                }
                return try await group.reduce(into: [Lease]()) { taken, lease in if let lease { taken.append(lease) } }
            }
            #expect(taken.count == 1)
            #expect(try await LeaseStore(database: fixture.database).lease("work") == taken.first)
            for other in others { try other.database.close() }
        }
    }

    @Test(arguments: Engine.allCases)
    func `settings are stored under the lease only`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let graph = fixture.graph
            let old = try await graph.outbox.takeLease(from: .mayLive).epoch
            let new = try await graph.outbox.takeLease(from: .isDead).epoch
            try await graph.settings.store(["a": "1", "b": "2"], under: .outbox(new))
            await #expect(throws: LeaseLost.self) {
                try await graph.settings.store(["a": "3", "c": "4"], under: .outbox(old))
            }
            #expect(try await graph.settings.setting("a") == "1")
            #expect(try await graph.settings.setting("b") == "2")
            #expect(try await graph.settings.setting("c") == nil)
        }
    }
}
