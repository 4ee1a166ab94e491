import Logging

extension Logger {
    /// Discards all messages.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
