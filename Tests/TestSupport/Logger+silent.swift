import Logging

extension Logger {
    /// Drops all messages.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
