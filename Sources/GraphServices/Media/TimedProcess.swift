import Foundation
import Subprocess
import SystemPackage

/// A program that is run to its end in a process group of its own, without a shell, with nothing to read, nowhere to
/// write, no environment and no file inherited.
package enum TimedProcess {
    /// The path of `name` in the directories of `PATH`; nil where it is not installed.
    package static func find(_ name: String, inPath path: String?) -> String? {
        guard let path else { return nil }
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Returns whether the program has ended by itself with status 0. After `limit`, and when the task is cancelled, it
    /// is killed with all that it has started in its group.
    ///
    /// - Throws: `SubprocessError` where it cannot be started.
    package static func run(_ executable: String, _ arguments: [String], limit: Duration) async throws -> Bool {
        var options = PlatformOptions()
        options.processGroupID = 0
        // One signal ends it; the rest of the time is for the kernel.
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(60))
        ]
        return try await withThrowingTaskGroup(of: Bool.self) { [options] group in
            group.addTask {
                try await Subprocess.run(
                    .path(FilePath(executable)), arguments: Arguments(arguments), environment: .custom(["LC_ALL": "C"]),
                    platformOptions: options, input: .none, output: .discarded, error: .discarded
                ).terminationStatus.isSuccess
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}
