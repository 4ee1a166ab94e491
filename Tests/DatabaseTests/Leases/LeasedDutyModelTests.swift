import Database
import Logging
import Synchronization
import TestSupport
import Testing

/// Nodes that share a duty, with owners that are stopped, a database that fails before or after what it does, wall
/// clocks that jump, and work that fails. Whatever happens, only one node works at a time.
@Suite(.timeLimit(.model))
struct LeasedDutyModelTests {
    private struct Failed: Error {}

    /// Acts of work, each at a time at which its owner holds the lease.
    private struct Act {
        let node: Int
        let epoch: Int64
        let time: Int64
    }

    private final class History: Sendable {
        let acts = Mutex<[Act]>([])
        let working = Mutex<[Int: Int]>([:])

        var count: Int { acts.withLock { $0.count } }
    }

    private final class Node: Sendable {
        let number: Int
        let fixture: GraphFixture
        let wall = AdjustableClock()
        let database: UnreliableDatabase
        let log = RecordingLog(from: .notice)
        let mustFail = Mutex(false)
        private let time: SimulatedTime

        init(_ number: Int, of shared: GraphFixture, in time: SimulatedTime) throws {
            self.number = number
            self.time = time
            fixture = try shared.another(clock: wall)
            database = UnreliableDatabase(fixture.database, of: number, in: time)
        }

        func run(_ history: History) async {
            let (number, time) = (number, time)
            let duty = LeasedDuty(
                "work", of: Int64(number + 1), in: LeaseStore(database: database), terms: .duty,
                logger: Logger(label: "node", factory: { [log] _ in log }),
                boot: { time.now },
                sleep: { try await time.pause(number, for: Int64($0 / .milliseconds(1))) })
            await duty.run { try await self.work(under: $0, history) }
        }

        private func work(under lease: HeldLease, _ history: History) async throws {
            let others = history.working.withLock { working in
                working[number, default: 0] += 1
                return working[number, default: 0] - 1
            }
            #expect(others == 0, "the work of a node began before its former work had ended")
            defer { history.working.withLock { $0[number, default: 0] -= 1 } }
            while !Task.isCancelled {
                let now = time.now
                // An owner may be stopped between this check and the act: that is what the epoch is for.
                if lease.isHeld {
                    history.acts.withLock { $0.append(Act(node: number, epoch: lease.epoch, time: now)) }
                }
                if mustFail.withLock({ value in
                    defer { value = false }
                    return value
                }) {
                    throw Failed()
                }
                try? await time.pause(number, for: 100)
            }
            // Work does not end at once.
            for _ in 0..<10 { await Task.yield() }
        }

        func count(_ message: String) -> Int { log.entries.count { $0.message == message } }
    }

    @Test(arguments: Engine.allCases, 1...8 as ClosedRange<UInt64>)
    func `one node works at a time, and one does as soon as it can`(engine: Engine, seed: UInt64) async throws {
        try await withGraph(on: engine) { shared in
            let (time, history) = (SimulatedTime(), History())
            let nodes = try (0..<3).map { try Node($0, of: shared, in: time) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes { group.addTask { await node.run(history) } }
                await Self.disturb(nodes, time, SplitMix64(seed: seed))
                for node in nodes {
                    time.resume(node.number)
                    node.database.use(nil)
                }
                let before = history.count
                while history.count < before + 5 { await Self.pass(500, nodes, time) }
                group.cancelAll()
                try await group.waitForAll()
            }
            Self.check(history, nodes)
            let last = try await LeaseStore(database: shared.database).lease("work")
            #expect(last?.isReleased == true, "the last owner did not release the lease")
            for node in nodes { try node.fixture.database.close() }
        }
    }

    private static func disturb(_ nodes: [Node], _ time: SimulatedTime, _ generator: SplitMix64) async {
        var generator = generator
        for _ in 0..<600 {
            let node = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
            switch Int.random(in: 0..<24, using: &generator) {
            case 0: time.isStopped(node.number) ? time.resume(node.number) : time.stop(node.number)
            case 1: for other in nodes { time.resume(other.number) }
            case 2: node.database.use(.before)
            case 3: node.database.use(.after)
            case 4, 5: for other in nodes { other.database.use(nil) }
            case 6: node.wall.advance(by: Int64.random(in: -20_000...20_000, using: &generator))
            case 7: node.mustFail.withLock { $0 = true }
            default: await pass(Int64.random(in: 1...700, using: &generator), nodes, time)
            }
        }
    }

    /// Lets time pass on all clocks, and the nodes do what it wakes them for.
    private static func pass(_ milliseconds: Int64, _ nodes: [Node], _ time: SimulatedTime) async {
        for node in nodes { node.wall.advance(by: milliseconds) }
        time.advance(by: milliseconds)
        repeat {
            for _ in 0..<30 { await Task.yield() }
        } while nodes.contains { $0.database.pendingCalls > 0 }
    }

    private static func check(_ history: History, _ nodes: [Node]) {
        let acts = history.acts.withLock { $0 }
        let ordered = acts.sorted { ($0.time, $0.epoch) < ($1.time, $1.epoch) }
        for (earlier, later) in zip(ordered, ordered.dropFirst()) {
            #expect(earlier.epoch <= later.epoch, "\(earlier) after the work of a later owner: \(later)")
        }
        var owners: [Int64: Int] = [:]
        for act in acts {
            #expect(owners.updateValue(act.node, forKey: act.epoch) ?? act.node == act.node, "two nodes in an epoch")
        }
        #expect(Set(owners.values).count > 1, "the duty never passed to another node")
        for message in [
            "duty taken over", "duty cannot be taken over; will retry", "lease cannot be renewed; will retry",
            "duty failed; will retry", "duty given up, because its lease could not be renewed",
        ] {
            #expect(nodes.contains { $0.count(message) > 0 }, "nothing of this was tested: \(message)")
        }
    }
}
