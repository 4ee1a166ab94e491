import Foundation
import GraphServices
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Ends the process when threads that serve requests have made no progress for too long, so that a supervisor restarts
/// it: nobody restarts a process that runs but answers nothing.
///
/// It has its own thread, which sends each pool of threads a probe and expects all answers by the next tick.
final class Watchdog: Sendable {
    /// A probe of one pool of threads.
    struct Probe: Sendable {
        /// The name in the log.
        let name: String
        /// Makes the pool call `answer` as soon as it can.
        let send: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    }

    private struct Watched {
        var isWaiting = false
        var stalledFor = Duration.zero
    }

    static let interval = Duration.seconds(5)

    private let probes: [Probe]
    private let limit: Duration
    private let watched: Mutex<[Watched]>
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter limit: time for which a pool may leave a probe unanswered.
    init(probes: [Probe], limit: Duration) {
        self.probes = probes
        self.limit = limit
        watched = Mutex(Array(repeating: Watched(), count: probes.count))
    }

    /// Sends a probe to each pool that has answered the last one.
    ///
    /// - Parameter elapsed: time since the last tick. More than two intervals count as two: a process that was stopped,
    ///   or
    ///   a machine that slept, has not stalled.
    /// - Returns: the names of the pools that have made no progress for the limit.
    func tick(elapsed: Duration) -> [String] {
        let (toSend, stalled) = watched.withLock { watched in
            var (toSend, stalled): ([Int], [String]) = ([], [])
            for index in watched.indices {
                if watched[index].isWaiting {
                    watched[index].stalledFor += min(elapsed, Self.interval * 2)
                    if watched[index].stalledFor >= limit { stalled.append(probes[index].name) }
                } else {
                    watched[index] = Watched(isWaiting: true)
                    toSend.append(index)
                }
            }
            return (toSend, stalled)
        }
        for index in toSend {
            probes[index].send { [self] in watched.withLock { $0[index].isWaiting = false } }
        }
        return stalled
    }

    /// Watches until ``stop()``, on its own thread.
    ///
    /// - Parameter end: called once with the names of the stalled pools.
    func start(end: @escaping @Sendable ([String]) -> Void) {
        let thread = Thread { [self] in
            var last = ContinuousClock.now
            while !isStopped.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: Self.interval / .seconds(1))
                let now = ContinuousClock.now
                let stalled = tick(elapsed: last.duration(to: now))
                if !stalled.isEmpty { return end(stalled) }
                last = now
            }
        }
        thread.name = "watchdog"
        thread.start()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}

extension Watchdog {
    /// The threads that serve requests: each event loop, and Swift's cooperative pool.
    static func servingThreads(_ loops: any EventLoopGroup) -> [Probe] {
        var probes = loops.makeIterator().enumerated().map { index, loop in
            Probe(name: "event loop \(index)") { answer in loop.execute(answer) }
        }
        probes.append(
            Probe(name: "cooperative pool") { answer in
                // Owner: ends at once when it runs; failing to run is the fault that the watchdog detects.
                Task.detached(priority: .userInitiated) { answer() }
            })
        return probes
    }
}

/// The watchdog as a service.
struct WatchdogService: Service {
    /// `EX_SOFTWARE`.
    static let exitStatus: Int32 = 70

    let watchdog: Watchdog
    let limit: Duration
    let logger: Logger

    init(limit: Duration, logger: Logger) {
        let loops = EventLoopGroupProvider.singleton.eventLoopGroup
        watchdog = Watchdog(probes: Watchdog.servingThreads(loops), limit: limit)
        self.limit = limit
        self.logger = logger
    }

    func run() async throws {
        watchdog.start { [limit, logger] in Self.end($0, limit, logger) }
        // A shutdown that hangs is watched as well: the thread lives as long as the process.
        try? await gracefulShutdown()
    }

    private static func end(_ stalled: [String], _ limit: Duration, _ logger: Logger) {
        // The stalled threads may hold the lock of the log.
        let thread = Thread {
            logger.critical(
                "serving threads have stalled; the process exits to be restarted",
                metadata: [LogKeys.stalled: "\(stalled.joined(separator: ", "))", LogKeys.limit: "\(limit)"])
        }
        thread.start()
        Thread.sleep(forTimeInterval: 1)
        _exit(exitStatus)
    }
}
