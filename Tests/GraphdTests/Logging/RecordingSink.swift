import Synchronization

@testable import graphd

/// Keeps log lines for a test to look at.
final class RecordingSink: LogSink {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func write(line: [UInt8]) {
        storage.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
}
