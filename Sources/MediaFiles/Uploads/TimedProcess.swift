import Foundation
import Subprocess
import SystemPackage

/// Runs a program to its end in its own process group, without a shell, input, output, environment or inherited files.
package enum TimedProcess {
    /// Returns the path of `name` in the directories of `PATH`; nil if it is not installed.
    package static func find(_ name: String, inPath path: String?) -> String? {
        guard let path else { return nil }
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Returns true if the program has ended by itself with status 0. After `limit`, and when the task is cancelled, it
    /// is killed with everything that it has started in its group.
    ///
    /// - Throws: `SubprocessError` if it cannot be started.
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
