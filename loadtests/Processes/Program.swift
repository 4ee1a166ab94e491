import Foundation
import Processes

/// Runs other programs.
enum Program {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs to the end and returns its standard output. Throws ``Failure`` if it ends with another status.
    @discardableResult
    static func run(_ path: String, _ arguments: [String], accepting statuses: Set<Int32> = [0]) throws -> String {
        let output = Pipe()
        let end = output.fileHandleForWriting
        let child = try ChildProcess(path, arguments, output: .descriptor(end.fileDescriptor))
        try end.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let ended = child.waitBlocking()
        guard case .exited(let status) = ended, statuses.contains(status) else {
            throw Failure(description: "\(path) \(arguments.joined(separator: " ")) ended: \(ended)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    @discardableResult
    static func run(_ command: [String]) throws -> String { try run(command[0], Array(command.dropFirst())) }

    /// Runs to the end. Returns true if it has ended with status 0.
    static func succeeds(_ path: String, _ arguments: [String]) throws -> Bool {
        try ChildProcess(path, arguments).waitBlocking() == .exited(0)
    }

    /// Returns the seconds that `body` took.
    static func time<T>(_ body: () async throws -> T) async rethrows -> (seconds: Double, value: T) {
        let start = ContinuousClock.now
        let value = try await body()
        return (start.duration(to: .now) / .seconds(1), value)
    }

    static func find(_ name: String) throws -> String {
        for directory in ["/usr/bin", "/usr/local/bin", "/bin"]
        where
            FileManager.default.isExecutableFile(atPath: "\(directory)/\(name)")
        {
            return "\(directory)/\(name)"
        }
        throw Failure(description: "\(name) is not installed")
    }
}
