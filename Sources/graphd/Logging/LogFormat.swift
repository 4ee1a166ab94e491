/// The format of log lines.
enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line, for collectors.
    case json
    /// One readable line, for terminals.
    case text
}
