import Foundation
import Glibc

/// Starting programs without a shell.
enum PrivateRedisChild {
    /// Starts `executable` with no signal ignored or blocked and no file inherited but those that `files` gives it.
    ///
    /// - Parameters:
    ///   - group: the process group that it joins; 0: one of its own.
    ///   - files: sets up descriptors 0, 1 and 2.
    static func spawn(
        _ executable: String, _ arguments: [String], group: pid_t,
        files: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        files(&actions)
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
        posix_spawnattr_setpgroup(&attributes, group)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, executable, &actions, &attributes, &argv, environ)
        guard status == 0 else {
            throw RedisError(.invalidConfiguration, "Cannot start \(executable): \(String(cString: strerror(status))).")
        }
        return child
    }
}
