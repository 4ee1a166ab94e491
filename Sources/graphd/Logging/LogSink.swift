import Glibc
import Synchronization

/// The destination of log lines.
protocol LogSink: Sendable {
    /// - Parameter line: UTF-8 with its line feed.
    func write(line: [UInt8])
}

/// Standard error. Lines of concurrent writers do not mix. A line that cannot be written is lost, since there is no
/// other place to report it.
final class StandardErrorSink: LogSink {
    private let turn = Mutex<Void>(())

    func write(line: [UInt8]) {
        turn.withLock { _ in LogBytes.write(line, to: STDERR_FILENO) }
    }
}

enum LogBytes {
    /// Writes all of `line`, or as much as the file takes.
    static func write(_ line: [UInt8], to descriptor: Int32) {
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
                let written = Glibc.write(descriptor, start, rest.count)
                if written < 0 && errno == EINTR {
                    continue
                }
                guard written > 0 else {
                    return
                }
                rest = rest.dropFirst(written)
            }
        }
    }
}
