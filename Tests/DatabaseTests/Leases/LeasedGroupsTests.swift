import SocialGraph
import TestSupport
import Testing

@testable import Database

@Suite(.timeLimit(.unit))
struct LeasedGroupsTests {
    private struct Failure: Error {}

    /// Work that tells when it runs, and for which groups.
    private final class Work: Sendable {
        let runs = Guarded<[[Int]]>([])
        let running = Guarded(0)
        let most = Guarded(0)
        let fails = Guarded(false)

        func run(_ leases: [Int: HeldLease]) async throws {
            runs.withLock { $0.append(leases.keys.sorted()) }
            let now = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, now) }
            defer { running.withLock { $0 -= 1 } }
            if fails.withLock({ $0.take() }) { throw Failure() }
            // Not for synchronisation: work that ends when it is cancelled.
            try? await Task.sleep(for: .seconds(3_600))
        }

        func waitForRun(of groups: [Int]) async {
            while runs.withLock({ $0.last }) != groups || running.withLock({ $0 }) == 0 { await Task.yield() }
        }
    }

    private static func with(_ body: (LeasedGroups, Work, [HeldLease]) async throws -> Void) async throws {
        try await withGraphStore { graph in
            let leases = LeaseStore(database: graph.database)
            var held: [HeldLease] = []
            for group in 0..<3 { held.append(try await leases.take("group.\(group)", from: .isDead, terms: .lasting)) }
            let (groups, work) = (LeasedGroups(), Work())
            let running = Task { await groups.run { try await work.run($0) } }
            let result: Result<Void, any Error>
            do { result = .success(try await body(groups, work, held)) } catch { result = .failure(error) }
            running.cancel()
            await running.value
            #expect(work.most.withLock { $0 } <= 1, "one piece of work at a time")
            try result.get()
        }
    }

    @Test func `work begins anew with each group that comes and goes`() async throws {
        try await Self.with { groups, work, leases in
            let first = Task { try await groups.serve(0, under: leases[0]) }
            await work.waitForRun(of: [0])
            let second = Task { try await groups.serve(2, under: leases[2]) }
            await work.waitForRun(of: [0, 2])
            first.cancel()
            try await first.value
            // In this order, because the next work notes its groups before it counts as running.
            #expect(work.running.withLock { $0 } == 0 || work.runs.withLock { $0.last } != [0, 2], "it has ended")
            await work.waitForRun(of: [2])
            second.cancel()
            try await second.value
            #expect(work.running.withLock { $0 } == 0)
        }
    }

    @Test func `a failure ends all turns of the work, which then goes on with the next lease`() async throws {
        try await Self.with { groups, work, leases in
            work.fails.withLock { $0 = true }
            await #expect(throws: Failure.self) { try await groups.serve(1, under: leases[1]) }
            let next = Task { try await groups.serve(1, under: leases[1]) }
            await work.waitForRun(of: [1])
            next.cancel()
            try await next.value
        }
    }
}
