import Foundation

/// A program that is run to its end, without a shell, in a process group of its own, with nothing to read, nowhere to
/// write and no file inherited.
package enum TimedProcess {
    /// The path of `name` in the directories of `PATH`; nil where it is not installed.
    package static func find(_ name: String, inPath path: String?) -> String? {
        guard let path else { return nil }
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Blocks until the program has ended, at most for `limit`: then it is killed, with all that it has started.
    /// True: it has ended by itself with status 0.
    ///
    /// - Throws: ``FileFailure`` where it cannot be started.
    package static func run(_ executable: String, _ arguments: [String], limit: Duration) throws -> Bool {
        let child = try spawn(executable, arguments)
        let end = ContinuousClock.now + limit
        var isKilled = false
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return !isKilled && status == 0 }
            guard ended == 0 || errno == EINTR else { throw FileFailure("waitpid") }
            if !isKilled, ContinuousClock.now >= end {
                // The child has not been reaped, so that the number is still its own.
                kill(-child, SIGKILL)
                isKilled = true
            }
            usleep(10_000)
        }
    }

    private static func spawn(_ executable: String, _ arguments: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Not all that libraries open is closed in a child by itself.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
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
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C"), nil]
        defer { for text in argv + environment { free(text) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, executable, &actions, &attributes, &argv, &environment)
        guard status == 0 else { throw FileFailure("posix_spawn", number: status) }
        return child
    }
}
