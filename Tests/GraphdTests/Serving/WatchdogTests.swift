import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct WatchdogTests {
    /// A pool whose threads answer on command.
    private final class Pool: Sendable {
        private let waiting = Mutex<[@Sendable () -> Void]>([])
        let name: String

        init(_ name: String) { self.name = name }

        var probe: Watchdog.Probe {
            Watchdog.Probe(name: name) { answer in self.waiting.withLock { $0.append(answer) } }
        }

        var probes: Int { waiting.withLock { $0.count } }

        func answer() {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for answer in all { answer() }
        }
    }

    @Test func `a pool that answers is left alone and one that does not is named`() {
        let (lively, stuck) = (Pool("lively"), Pool("stuck"))
        let dog = Watchdog(probes: [lively.probe, stuck.probe], limit: .seconds(60))
        #expect(dog.tick(elapsed: .seconds(5)) == [])
        for _ in 0..<11 {
            lively.answer()
            #expect(dog.tick(elapsed: .seconds(5)) == [])
        }
        // Only one probe is in progress, not one for each tick.
        #expect(stuck.probes == 1)
        lively.answer()
        #expect(dog.tick(elapsed: .seconds(5)) == ["stuck"])
    }

    @Test func `a pool that catches up begins anew`() {
        let pool = Pool("slow")
        let dog = Watchdog(probes: [pool.probe], limit: .seconds(60))
        for _ in 0..<10 {
            for _ in 0..<12 { #expect(dog.tick(elapsed: .seconds(5)) == []) }
            pool.answer()
        }
    }

    @Test func `a process that was stopped has not stalled`() {
        let pool = Pool("stopped")
        let dog = Watchdog(probes: [pool.probe], limit: .seconds(60))
        #expect(dog.tick(elapsed: .seconds(5)) == [])
        #expect(dog.tick(elapsed: .seconds(100_000)) == [])
        pool.answer()
        #expect(dog.tick(elapsed: .seconds(5)) == [])
    }

    @Test func `the threads that serve are probed`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let loops = Array(group.makeIterator())
        let dog = Watchdog(probes: Watchdog.servingThreads(group), limit: .seconds(10))
        let (isHeld, release) = (ThreadGate(), ThreadGate())
        loops[1].execute {
            isHeld.open()
            release.wait()
        }
        isHeld.wait()
        #expect(dog.tick(elapsed: .seconds(5)) == [])
        // The other threads answer eventually; the held one cannot.
        var stalled: [String] = []
        while stalled != ["event loop 1"] {
            stalled = dog.tick(elapsed: .seconds(5))
            try await loops[0].submit {}.get()
            await Task.yield()
        }
        release.open()
        try await loops[1].submit {}.get()
        while dog.tick(elapsed: .zero) != [] { await Task.yield() }
        try await group.shutdownGracefully()
    }
}

/// Blocks threads until it is opened.
private final class ThreadGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
