import Foundation

/// Honest requests before and during an attack.
struct AttackOutcome {
    let quiet: LoadResult
    let during: LoadResult

    /// Returns milliseconds; nil if more than 1 percent failed.
    private func p99(_ kind: HonestLoad.Kind, _ result: LoadResult) -> Double? {
        result.kinds[kind.rawValue].milliseconds(ofAll: 99)
    }

    func p99(_ kind: HonestLoad.Kind) -> Double? { p99(kind, during) }

    func ratio(_ kind: HonestLoad.Kind) -> Double? {
        guard let before = p99(kind, quiet), let now = p99(kind, during), before > 0 else { return nil }
        return now / before
    }

    /// Milliseconds of the slowest health request; nil if one had no answer.
    var slowestHealth: Double? { during.kinds[HonestLoad.Kind.health.rawValue].milliseconds(ofAll: 100) }

    var failed: Int { during.failed }

    var line: String {
        func text(_ value: Double?) -> String { value.map { String(format: "%.1f", $0) } ?? "-" }
        return HonestLoad.Kind.allCases.map { "\($0.name) p99 \(text(p99($0))) ms" }.joined(separator: ", ")
            + ", \(failed) failed"
    }
}

extension FigureTable {
    mutating func add(_ attack: String, _ build: String, _ outcome: AttackOutcome) {
        func cell(_ value: Double?, _ decimals: Int) -> Cell { value.map { .decimal($0, decimals) } ?? .none }
        var row: [Cell] = [.text(attack), .text(build)]
        for kind in [HonestLoad.Kind.home, .post, .logIn] {
            row += [cell(outcome.p99(kind), 1), cell(outcome.ratio(kind), 2)]
        }
        add(row + [cell(outcome.slowestHealth, 1), .count(outcome.failed)])
    }
}
