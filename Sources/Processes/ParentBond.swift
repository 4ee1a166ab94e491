import Foundation
import Glibc

/// Ends a child when this process ends, however it ends.
///
/// A shell leads the child's process group and reads one end of a socket pair, of which this process alone holds the
/// other. When that is closed, at the latest by the kernel when this process is killed, the shell kills its group: the
/// child and itself. No process id is looked up that could be another's by then. (A death signal, as `prctl` can ask
/// for, would follow the thread that has started the child, not the process.)
///
/// The shell ignores SIGHUP: when this process dies while the child is stopped, the kernel sends SIGHUP and SIGCONT to
/// the group, which has lost its last tie to the session (POSIX, "orphaned process group").
final class ParentBond: Sendable {
    /// The process group that the child is to join; also the id of the shell.
    let group: pid_t
    private let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Closed on exec from the start: no other child can inherit an end.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw LaunchFailure(executable: Self.shell, number: errno)
        }
        defer { close(ends[0]) }
        var launch = Launch(Self.shell, ["-c", "trap '' HUP INT QUIT TERM; read -r line; kill -s KILL 0"])
        launch.input = .descriptor(ends[0])
        do {
            group = try launch.spawn()
        } catch {
            close(ends[1])
            throw error
        }
        writeEnd = ends[1]
    }

    /// Ends the shell, and with it what is left of its group. To be called once.
    func end() {
        close(writeEnd)
        // It may have been killed by somebody else, and what it was to kill with it.
        kill(-group, SIGKILL)
        var status: Int32 = 0
        while waitpid(group, &status, 0) == -1, errno == EINTR {}
    }

    private static let shell = "/bin/sh"
}
