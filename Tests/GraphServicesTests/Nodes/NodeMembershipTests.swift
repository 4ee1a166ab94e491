import Database
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

/// Heartbeats of nodes, and what nodes know of each other.
@Suite(.timeLimit(.process))
struct NodeMembershipTests {
    private static func enter(
        _ id: Int64, _ fixture: GraphFixture, _ boot: AdjustableClock, isShared: Bool = true
    ) async throws -> NodeMembership {
        try await NodeMembership.enter(
            id, name: "host:\(id)", isShared: isShared, in: fixture.graph, logger: .silent, boot: { boot.now })
    }

    @Test(arguments: Engine.allCases)
    func `a node is current until its heartbeat is too old, and again once one has committed`(
        engine: Engine
    ) async throws {
        try await withGraph(on: engine) { fixture in
            let boot = AdjustableClock(0)
            let node = try await Self.enter(7, fixture, boot)
            try node.requireCurrent()
            boot.advance(by: LeaseTerms.node.length - LeaseTerms.node.margin - 1)
            #expect(node.isCurrent && node.problems.isEmpty)
            boot.advance(by: 1)
            #expect(!node.isCurrent && node.problems.map(\.code) == [.notCurrent])
            let problem = #expect(throws: Problem.self) { try node.requireCurrent() }
            #expect(problem?.code == .notCurrent)
            boot.advance(by: Milliseconds.day)
            try await node.step()
            try node.requireCurrent()
        }
    }

    @Test(arguments: Engine.allCases)
    func `a node that lost its heartbeat to another process does not go on`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let boot = AdjustableClock(0)
            let former = try await Self.enter(7, fixture, boot)
            let next = try await Self.enter(7, fixture, boot)
            await #expect(throws: LeaseLost.self) { try await former.step() }
            #expect(!former.isCurrent && next.isCurrent)
            await #expect(throws: LeaseLost.self) { try await former.run() }
            #expect(next.isCurrent)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a node whose clock is days ahead ends no other`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let boot = AdjustableClock(0)
            let first = try await Self.enter(1, fixture, boot)
            fixture.clock.advance(by: 3 * Milliseconds.day)
            let second = try await Self.enter(2, fixture, boot)
            #expect(second.others.map(\.id) == [1])
            try await first.step()
            try first.requireCurrent()
        }
    }

    @Test(arguments: Engine.allCases)
    func `nodes learn of each other with their heartbeats`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let boot = AdjustableClock(0)
            let first = try await Self.enter(1, fixture, boot)
            #expect(first.count == 1)
            let second = try await Self.enter(2, fixture, boot)
            #expect(second.others.map(\.id) == [1])
            try await first.step()
            #expect(first.others.map(\.name) == ["host:2"] && first.count == 2)

            // One that stops is gone at once.
            try await second.leave()
            try await first.step()
            #expect(first.others.isEmpty)

            // One that is killed is gone after the length of its heartbeat, whatever the wall clocks say.
            let third = try await Self.enter(3, fixture, boot)
            fixture.clock.advance(by: Milliseconds.day)
            try await first.step()
            #expect(first.others.map(\.id) == [3])
            boot.advance(by: LeaseTerms.node.length - 1)
            try await third.step()
            try await first.step()
            #expect(first.others.map(\.id) == [3])
            boot.advance(by: LeaseTerms.node.length)
            try await first.step()
            #expect(first.others.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a node is listed under the address on which it listens`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let node = try await Self.enter(7, fixture, AdjustableClock(0), isShared: false)
            node.listens(at: "host:8080")
            try await node.step()
            #expect(try await NodeStore(database: fixture.database).records().map(\.node.name) == ["host:8080"])
        }
    }
}
