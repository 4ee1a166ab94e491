import Foundation

/// Runs other programs.
enum Program {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs to the end and returns what was printed on standard output. Throws ``Failure`` if the status is not 0.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        let output = Pipe()
        let child = try Child(path, arguments, output: output)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let status = child.wait()
        guard status == 0 else {
            throw Failure(description: "\(path) \(arguments.joined(separator: " ")) ended with \(status)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Seconds that `body` took.
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
