import Foundation

/// The measured figures, compared with thresholds.
struct Judgement {
    enum Verdict: Equatable {
        case within
        case over
        /// So far below that the threshold no longer guards anything.
        case below
        /// Measured with a different toolchain than the threshold.
        case unjudged
        /// Measured without a threshold, or the reverse.
        case unmatched
    }

    struct Row {
        let operation: String
        let measure: Measure
        let count: Double?
        let threshold: Double?
        let verdict: Verdict
    }

    let rows: [Row]

    init(of measured: [String: Figures], by thresholds: Thresholds, on toolchain: String) {
        rows = Set(measured.keys).union(thresholds.operations.keys).sorted().flatMap { operation in
            Measure.allCases.map { measure in
                let count = measured[operation]?[measure]
                let threshold = thresholds.operations[operation]?[measure]
                let isComparable =
                    !measure.dependsOnToolchain
                    || toolchain == thresholds.toolchain && Operation.repeats(measure, in: operation)
                return Row(
                    operation: operation, measure: measure, count: count, threshold: threshold,
                    verdict: Self.verdict(measure, count, threshold, isComparable))
            }
        }
    }

    var passes: Bool { !rows.contains { $0.verdict == .over || $0.verdict == .unmatched } }

    private static func verdict(
        _ measure: Measure, _ count: Double?, _ threshold: Double?, _ isComparable: Bool
    ) -> Verdict {
        guard let count, let threshold else { return .unmatched }
        guard isComparable else { return .unjudged }
        let margin = max(threshold * measure.tolerance / 100, measure.step)
        if count > threshold + margin { return .over }
        return count < threshold - margin ? .below : .within
    }
}

extension Judgement {
    /// A line for each count, and the required action.
    var table: String {
        var lines = [Self.line("operation", "counted", "count", "threshold", "verdict")]
        var last = ""
        for row in rows {
            lines.append(
                Self.line(
                    row.operation == last ? "" : row.operation, row.measure.title, Self.text(row.count),
                    Self.text(row.threshold), row.remark))
            last = row.operation
        }
        let verdicts = Set(rows.map(\.verdict))
        if verdicts.contains(.over) || verdicts.contains(.unmatched) {
            lines.append("Where that is meant, tools/benchmarks --update writes what was measured as the thresholds.")
        }
        if verdicts.contains(.below) {
            lines.append("What is below its threshold is guarded again after tools/benchmarks --update.")
        }
        if verdicts.contains(.unjudged) {
            lines.append("Not judged: what differs from run to run, and all that another toolchain has compiled.")
        }
        return lines.joined(separator: "\n")
    }

    private static func line(
        _ operation: String, _ measure: String, _ count: String, _ threshold: String, _ verdict: String
    ) -> String {
        func left(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
        func right(_ text: String) -> String { String(repeating: " ", count: max(12 - text.count, 1)) + text }
        return left(operation, 36) + left(measure, 15) + right(count) + right(threshold) + "  " + verdict
    }

    fileprivate static func text(_ count: Double?) -> String {
        guard let count else { return "-" }
        return count >= 1_000 || count == count.rounded() ? "\(Int(count.rounded()))" : String(format: "%.2f", count)
    }
}

extension Judgement.Row {
    fileprivate var remark: String {
        switch verdict {
        case .within: "ok"
        case .over: "OVER\(difference)"
        case .below: "below\(difference)"
        case .unjudged: "not judged\(difference)"
        case .unmatched: count == nil ? "NOT MEASURED" : "NO THRESHOLD"
        }
    }

    /// The difference in percent of the threshold.
    private var difference: String {
        guard let count, let threshold, threshold > 0 else { return "" }
        return String(format: " by %.1f %%", abs(count / threshold - 1) * 100)
    }
}
