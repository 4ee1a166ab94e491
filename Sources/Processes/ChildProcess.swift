import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that runs beside this one.
///
/// A thread of its own waits for its end. Signals go to this child or to nobody: its id is another's, at the earliest,
/// once it has been reaped.
package final class ChildProcess: Sendable {
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)

        init(waitStatus: Int32) {
            let signal = waitStatus & 0x7F
            self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
        }
    }

    package let pid: pid_t

    private enum Life {
        case running(waiters: [CheckedContinuation<End, Never>])
        case ended(End)
    }
    private let life = Mutex(Life.running(waiters: []))
    private let ending = DispatchGroup()
    private let bond: ParentBond?

    /// Starts the program.
    ///
    /// - Parameter endsWithParent: the program is killed when this process ends, however that ends.
    /// - Throws: ``LaunchFailure``.
    package init(_ launch: Launch, endsWithParent: Bool = false) throws {
        var launch = launch
        bond = endsWithParent ? try ParentBond() : nil
        if let bond { launch.group = bond.group }
        do {
            pid = try launch.spawn()
        } catch {
            bond?.end()
            throw error
        }
        ending.enter()
        // `waitid` blocks for as long as the child lives.
        let thread = Thread { [self] in reap() }
        thread.name = "child wait"
        thread.start()
    }

    /// Waits for the end.
    package func wait() async -> End {
        await withCheckedContinuation { continuation in
            let end: End? = life.withLock {
                switch $0 {
                case .ended(let end): return end
                case .running(let waiters):
                    $0 = .running(waiters: waiters + [continuation])
                    return nil
                }
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Blocks the thread until the end.
    @discardableResult
    package func waitBlocking() -> End {
        while true {
            ending.wait()
            if let end { return end }
        }
    }

    /// Blocks the thread until the end, at most for `limit`; nil if the program still runs then.
    package func waitBlocking(atMost limit: Duration) -> End? {
        let milliseconds = limit / .milliseconds(1)
        _ = ending.wait(timeout: .now() + .milliseconds(Int(milliseconds.rounded(.up))))
        return end
    }

    /// Does nothing once the child has been reaped.
    package func signal(_ signal: Int32) { send(signal, to: pid) }

    /// Sends `signal` to the child and all that it has started in its process group. Does nothing once the child has
    /// been reaped.
    package func signalGroup(_ signal: Int32) { send(signal, to: -(bond?.group ?? pid)) }

    /// SIGTERM, then SIGKILL after `grace`; returns after the end, also in a cancelled task.
    package func terminate(grace: Duration) async {
        signal(SIGTERM)
        // A task of its own, because stopping is what a cancelled task does last and the grace must not be cut short.
        let killer = Task {
            try await Task.sleep(for: grace)
            signal(SIGKILL)
        }
        _ = await wait()
        killer.cancel()
        _ = await killer.result
    }

    private var end: End? {
        life.withLock {
            if case .ended(let end) = $0 { end } else { nil }
        }
    }

    private func send(_ signal: Int32, to target: pid_t) {
        life.withLock {
            if case .running = $0 { _ = kill(target, signal) }
        }
    }

    private func reap() {
        var info = siginfo_t()
        // Without reaping: until the lock below is held, the pid stays this child's.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        bond?.end()
        let (end, waiters): (End, [CheckedContinuation<End, Never>]) = life.withLock { life in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            let end = End(waitStatus: status)
            guard case .running(let waiters) = life else { return (end, []) }
            life = .ended(end)
            return (end, waiters)
        }
        ending.leave()
        for waiter in waiters { waiter.resume(returning: end) }
    }
}
