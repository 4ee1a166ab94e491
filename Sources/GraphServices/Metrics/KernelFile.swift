import Foundation

/// Files of the kernel, such as those under `/proc`.
package enum KernelFile {
    /// Returns a file to its end; nil if it cannot be read. `FileManager.contents(atPath:)` ends after the first page
    /// of a file without a size.
    package static func text(_ path: String) -> String? {
        let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        return (try? file?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
    }
}
