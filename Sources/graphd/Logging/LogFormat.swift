/// How log lines look.
enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line, for collectors.
    case json
    /// One line to read, for terminals.
    case text
}
