import Logging
import Synchronization

/// A log handler that keeps messages of a level and above for a test.
package final class RecordingLog: LogHandler {
    package struct Entry: Sendable {
        package let message: String
        package let metadata: [String: String]
    }

    private let stored = Mutex<[Entry]>([])
    private let level: Logger.Level

    /// Keeps messages of `level` and above.
    package init(from level: Logger.Level) { self.level = level }

    package var entries: [Entry] { stored.withLock { $0 } }

    package var logLevel: Logger.Level {
        get { level }
        set {}
    }

    package var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    package subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    package func log(event: LogEvent) {
        guard event.level >= level else { return }
        let entry = Entry(message: "\(event.message)", metadata: (event.metadata ?? [:]).mapValues(\.description))
        stored.withLock { $0.append(entry) }
    }
}
