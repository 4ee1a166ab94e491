import Foundation
import Glibc

/// A text file that grows by lines, and survives the program that writes it.
struct LineFile: Sendable {
    struct Failure: Error { let path: String }

    let path: String

    /// The complete lines, in the order in which they were added.
    var lines: [Substring] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    func append(_ line: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(path: path) }
        defer { close(file) }
        let bytes = Array((line + "\n").utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw Failure(path: path) }
    }
}
