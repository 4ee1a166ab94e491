import Foundation
import Glibc
import Synchronization

/// A child process in a process group of its own, so that Ctrl-C in a terminal reaches only its parent.
final class PrivateRedisProcess: Sendable {
    let pid: pid_t
    private enum Life {
        case running(waiters: [CheckedContinuation<Int32, Never>])
        case ended(status: Int32)
    }
    private let life = Mutex(Life.running(waiters: []))

    /// Starts `executable` with standard input from nowhere and output appended to `log`. Inherits no other file.
    init(executable: String, arguments: [String], log: String) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A listening socket that lived on in the child would keep the port from the next start.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // A server ignores SIGPIPE and SIGTERM in favour of its own handling; its child starts with neither.
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, executable, &actions, &attributes, &argv, environ)
        guard status == 0 else {
            throw RedisError(.invalidConfiguration, "Cannot start \(executable): \(String(cString: strerror(status))).")
        }
        pid = child
        // `waitid` blocks for as long as the child lives.
        let thread = Thread { [self] in reap() }
        thread.name = "redis-server wait"
        thread.start()
    }

    /// Waits for the end and returns the status as `waitpid` gives it.
    func wait() async -> Int32 {
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
    func signal(_ signal: Int32) {
        life.withLock {
            if case .running = $0 { _ = kill(pid, signal) }
        }
    }

    /// SIGTERM, then SIGKILL after `grace`; returns after the end, also in a cancelled task.
    func terminate(grace: Duration) async {
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
