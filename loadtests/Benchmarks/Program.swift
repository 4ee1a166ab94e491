import Dispatch
import Glibc

/// Runs other programs.
enum Program {
    /// Runs `path` to its end, without standard input and with no other environment; returns its status as `waitpid`
    /// gives it. Foundation's `Process` learns of the end by a socket that a server started meanwhile may hold open.
    static func run(_ path: String, _ arguments: [String], environment: [String] = []) async throws -> Int32 {
        let pid = try spawn(path, arguments, environment)
        return await withCheckedContinuation { continuation in
            // `waitpid` blocks.
            DispatchQueue.global().async {
                var status: Int32 = 0
                while waitpid(pid, &status, 0) == -1, errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
    }

    private static func spawn(_ path: String, _ arguments: [String], _ environment: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, nil, &argv, &envp)
        guard code == 0 else { throw BenchmarkError("\(path) cannot be started: \(String(cString: strerror(code)))") }
        return pid
    }
}
