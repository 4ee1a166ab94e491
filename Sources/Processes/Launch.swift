import CProcesses
import Foundation
import Glibc

/// A program to start: without a shell, with no signal ignored or blocked, and with no file of this process but the
/// three standard ones.
package struct Launch: Sendable {
    /// A standard file of the program.
    package enum StandardFile: Sendable {
        /// `/dev/null`.
        case nothing
        /// The one of this process.
        case inherited
        /// A path: of input, a file that exists; of output, one that is appended to, and created if missing.
        case path(String)
        /// A descriptor of this process, which stays open here.
        case descriptor(Int32)
    }

    package var executable: String
    package var arguments: [String]
    /// Nil for the environment of this process.
    package var environment: [String: String]?
    package var input = StandardFile.nothing
    package var output = StandardFile.nothing
    package var error = StandardFile.nothing
    /// Limits, for a program that handles data from outside.
    package var confinement: Confinement?
    /// The process group that it joins; nil for one of its own, so that Ctrl-C in a terminal reaches only this process.
    var group: pid_t?

    package init(_ executable: String, _ arguments: [String], environment: [String: String]? = nil) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts the program; the caller reaps it.
    ///
    /// `posix_spawn` borrows this process' memory until the program runs. A fork would copy its page tables, which
    /// halts every thread of a large server.
    func spawn() throws -> pid_t {
        if let confinement { return try spawn(under: confinement) }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        open(input, as: STDIN_FILENO, O_RDONLY, &actions)
        open(output, as: STDOUT_FILENO, O_WRONLY | O_CREAT | O_APPEND, &actions)
        open(error, as: STDERR_FILENO, O_WRONLY | O_CREAT | O_APPEND, &actions)
        // A listening socket that lived on in the child would keep the port from the next start.
        let status = graphd_close_from(&actions, STDERR_FILENO + 1)
        guard status == 0 else { throw LaunchFailure(executable: executable, number: status) }
        // A server ignores SIGPIPE and SIGTERM in favour of its own handling, and its threads block signals.
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, group ?? 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var child: pid_t = 0
        let failure = withTexts { posix_spawn(&child, executable, &actions, &attributes, $0, $1) }
        guard failure == 0 else { throw LaunchFailure(executable: executable, number: failure) }
        return child
    }

    /// Passes `body` the arguments and the environment, each with nil at its end.
    func withTexts(
        _ body: (
            UnsafePointer<UnsafeMutablePointer<CChar>?>, UnsafePointer<UnsafeMutablePointer<CChar>?>
        ) -> Int32
    ) -> Int32 {
        let variables = environment ?? ProcessInfo.processInfo.environment
        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let assignments = variables.map { "\($0.key)=\($0.value)" }.sorted()
        let envp = assignments.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        return body(argv, envp)
    }

    private func open(
        _ file: StandardFile, as number: Int32, _ flags: Int32, _ actions: inout posix_spawn_file_actions_t
    ) {
        switch file {
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .inherited: break
        case .path(let path): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
    }
}

/// A program that could not be started.
package struct LaunchFailure: Error, CustomStringConvertible {
    package let executable: String
    /// The error number.
    package let number: Int32

    package var description: String { "Cannot start \(executable): \(String(cString: strerror(number)))." }
}
