import CProcesses
import Glibc
import Synchronization

/// The limits of a program that handles data from outside. It also has no network, can start no other program and
/// reach into none, and gains no privileges: a filter of system calls refuses them.
///
/// The number of processes is not limited (RLIMIT_NPROC): that limit counts all of a user's, and none of root's.
package struct Confinement: Sendable, Equatable {
    /// Bytes of address space.
    package var memory: Int
    /// Seconds of processor time.
    package var processorSeconds: Int
    /// Bytes of the largest file that it writes.
    package var fileBytes: Int
    /// Number of open files.
    package var openFiles: Int

    package init(memory: Int, processorSeconds: Int, fileBytes: Int, openFiles: Int = 64) {
        self.memory = memory
        self.processorSeconds = processorSeconds
        self.fileBytes = fileBytes
        self.openFiles = openFiles
    }

    fileprivate var limits: graphd_confinement {
        graphd_confinement(
            memory: UInt64(memory), processor_seconds: UInt64(processorSeconds), file_bytes: UInt64(fileBytes),
            open_files: UInt64(openFiles))
    }
}

extension Launch {
    /// Starts the program under limits; the caller reaps it.
    func spawn(under confinement: Confinement) throws -> pid_t {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        func descriptor(_ file: StandardFile, _ number: Int32, _ flags: Int32) throws -> Int32 {
            switch file {
            case .inherited: return number
            case .descriptor(let descriptor): return descriptor
            case .nothing: opened.append(open("/dev/null", O_RDWR | O_CLOEXEC))
            case .path(let path): opened.append(open(path, flags | O_CLOEXEC, 0o600))
            }
            guard let last = opened.last, last >= 0 else {
                throw LaunchFailure(executable: executable, number: errno)
            }
            return last
        }
        let outputFlags = O_WRONLY | O_CREAT | O_APPEND
        let files = [
            try descriptor(input, STDIN_FILENO, O_RDONLY), try descriptor(output, STDOUT_FILENO, outputFlags),
            try descriptor(error, STDERR_FILENO, outputFlags),
        ]
        var limits = confinement.limits
        var child: pid_t = 0
        let failure = withTexts { argv, envp in
            graphd_spawn_confined(&child, executable, argv, envp, files, group ?? 0, &limits)
        }
        guard failure == 0 else { throw LaunchFailure(executable: executable, number: failure) }
        return child
    }
}

extension ChildProcess {
    /// Runs a program to its end; after `limit`, and when the task is cancelled, it is killed with its group. It ends
    /// with this process in any case.
    ///
    /// - Returns: its end; nil if it was killed at the limit or by cancellation.
    /// - Throws: ``LaunchFailure``.
    package static func run(_ launch: Launch, limit: Duration) async throws -> End? {
        let child = try ChildProcess(launch, endsWithParent: true)
        let isKilled = Atomic(false)
        let kill: @Sendable () -> Void = {
            isKilled.store(true, ordering: .sequentiallyConsistent)
            child.signalGroup(SIGKILL)
        }
        return await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // A cancelled sleep is the end of the program, or of the task.
                    if (try? await Task.sleep(for: limit)) != nil { kill() }
                }
                let end = await child.wait()
                group.cancelAll()
                return isKilled.load(ordering: .sequentiallyConsistent) ? nil : end
            }
        } onCancel: {
            kill()
        }
    }
}
