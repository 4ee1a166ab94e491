import Foundation

/// Progress on a terminal, redrawn in place at most ten times a second; silent if standard error is not a terminal.
package struct ProgressBar {
    package enum Unit: Sendable { case bytes, timelines, subjects, rows }

    private static let interval = Duration.milliseconds(100)

    private let label: String
    private let unit: Unit
    private let total: Int?
    private let isShown: Bool
    private let output: (String) -> Void
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastDrawn: ContinuousClock.Instant?

    /// - Parameter total: nil if unknown, as for a pipe.
    package init(
        label: String, unit: Unit, total: Int?, isShown: Bool = StandardError.isTerminal,
        output: @escaping (String) -> Void = StandardError.write
    ) {
        self.label = label
        self.unit = unit
        self.total = total
        self.isShown = isShown
        self.output = output
        start = clock.now
    }

    package mutating func update(done: Int) {
        guard isShown else { return }
        let now = clock.now
        if let lastDrawn, now - lastDrawn < Self.interval { return }
        lastDrawn = now
        let line = Self.line(label: label, unit: unit, done: done, total: total, elapsed: now - start)
        output("\r\u{1B}[2K" + line)
    }

    /// Removes the bar from the terminal.
    package mutating func finish() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        output("\r\u{1B}[2K")
    }
}

extension ProgressBar {
    private static let width = 30

    /// `importing  [=========>         ]  45 %  12.3 MB  4.1 MB/s  4 s left`.
    package static func line(label: String, unit: Unit, done: Int, total: Int?, elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = [label]
        if let total, total > 0 {
            let fraction = min(Double(done) / Double(total), 1)
            parts.append("[\(bar(fraction))]")
            parts.append(String(format: "%3d %%", Int(fraction * 100)))
        }
        parts.append(quantity(Double(done), unit))
        parts.append(quantity(rate, unit) + "/s")
        if let total, total > done, rate > 0 {
            parts.append(time(Double(total - done) / rate) + " left")
        }
        return parts.joined(separator: "  ")
    }

    private static func bar(_ fraction: Double) -> String {
        let filled = Int(fraction * Double(width))
        guard filled < width else { return String(repeating: "=", count: width) }
        return String(repeating: "=", count: filled) + ">" + String(repeating: " ", count: width - filled - 1)
    }

    private static func quantity(_ value: Double, _ unit: Unit) -> String {
        switch unit {
        case .timelines: String(format: "%.0f timelines", value)
        case .subjects, .rows: String(format: "%.0f", value)
        case .bytes where value < 1_000_000: String(format: "%.0f kB", value / 1_000)
        case .bytes where value < 1_000_000_000: String(format: "%.1f MB", value / 1_000_000)
        case .bytes: String(format: "%.2f GB", value / 1_000_000_000)
        }
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return String(format: "%d:%02d min", whole / 60, whole % 60) }
        return String(format: "%d:%02d h", whole / 3_600, whole / 60 % 60)
    }
}
