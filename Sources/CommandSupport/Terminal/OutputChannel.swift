import Foundation

/// The destination of results and its capabilities.
package struct OutputChannel: Sendable {
    /// Width of the terminal; nil: not a terminal, so rows are separated by tabs and nothing is cut.
    package let columns: Int?
    let hasColours: Bool

    package var isTerminal: Bool { columns != nil }

    package static let plain = OutputChannel(columns: nil, hasColours: false)

    /// Standard output. Colours need a terminal that has them, and `NO_COLOR` to be unset or empty.
    package static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> OutputChannel {
        guard isatty(STDOUT_FILENO) == 1 else { return plain }
        var size = winsize()
        let asked = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let columns = asked == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
        return OutputChannel(columns: columns, hasColours: hasColours(environment))
    }

    static func hasColours(_ environment: [String: String]) -> Bool {
        (environment["NO_COLOR"] ?? "").isEmpty && (environment["TERM"] ?? "dumb") != "dumb"
    }

    package enum Style: String {
        case heading = "1"
        case new = "32"
        case faint = "2"
    }

    package func styled(_ text: String, _ style: Style) -> String {
        hasColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
