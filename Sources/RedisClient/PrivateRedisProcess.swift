import Foundation
import Glibc
import Synchronization

/// A child process outside the process group of its parent, so that Ctrl-C in a terminal reaches only the parent.
package final class PrivateRedisProcess: Sendable {
    package let pid: pid_t
    private enum Life {
        case running(waiters: [CheckedContinuation<Int32, Never>])
        case ended(status: Int32)
    }
    private let life = Mutex(Life.running(waiters: []))

    private let guardian: PrivateRedisGuard

    /// Starts `executable` with standard input from nowhere and output appended to `log`. Inherits no other file, and
    /// ends when this process does.
    package init(executable: String, arguments: [String], log: String) throws {
        let guardian = try PrivateRedisGuard()
        do {
            pid = try PrivateRedisChild.spawn(executable, arguments, group: guardian.pid) { actions in
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                posix_spawn_file_actions_adddup2(&actions, 1, 2)
            }
        } catch {
            guardian.end()
            throw error
        }
        self.guardian = guardian
        // `waitid` blocks for as long as the child lives.
        let thread = Thread { [self] in reap() }
        thread.name = "redis-server wait"
        thread.start()
    }

    /// Waits for the end and returns the status as `waitpid` gives it.
    package func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status: Int32? = life.withLock {
                switch $0 {
                case .ended(let status): return status
                case .running(let waiters):
                    $0 = .running(waiters: waiters + [continuation])
                    return nil
                }
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Does nothing once the child has been reaped: its pid may be another process' by then.
    package func signal(_ signal: Int32) {
        life.withLock {
            if case .running = $0 { _ = kill(pid, signal) }
        }
    }

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

    private func reap() {
        var info = siginfo_t()
        // Without reaping: until the lock below is held, the pid stays this child's.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        guardian.end()
        let (status, waiters): (Int32, [CheckedContinuation<Int32, Never>]) = life.withLock { life in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            guard case .running(let waiters) = life else { return (status, []) }
            life = .ended(status: status)
            return (status, waiters)
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }
}
