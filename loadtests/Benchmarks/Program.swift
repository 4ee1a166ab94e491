import Foundation
import Subprocess
import SystemPackage

/// Runs other programs.
enum Program {
    /// Runs `path` to its end, without standard input and with only the given environment. Returns true if it has ended
    /// with status 0.
    static func run(
        _ path: String, _ arguments: [String], environment: [Environment.Key: String] = [:]
    ) async throws -> Bool {
        try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments), environment: .custom(environment), input: .none,
            output: .currentStandardOutput, error: .currentStandardError
        ).terminationStatus.isSuccess
    }
}
