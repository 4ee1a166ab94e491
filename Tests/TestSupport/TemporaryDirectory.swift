import Foundation

/// An unused path in the system's temporary directory. It is short, because the path of a Unix socket below it has at
/// most 107 bytes.
package func temporaryPath(_ name: String) -> String {
    NSTemporaryDirectory() + "\(name)-\(UUID().uuidString.prefix(8))"
}

/// Creates a directory for a test, which has to remove it.
package func makeTemporaryDirectory(_ name: String) throws -> String {
    let path = temporaryPath(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

/// Runs `body` with a new directory and removes the directory afterwards.
@discardableResult
package func withTemporaryDirectory<T>(_ name: String, _ body: (String) async throws -> T) async throws -> T {
    let path = try makeTemporaryDirectory(name)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}
