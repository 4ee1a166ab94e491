import Foundation

/// Many values of one kind.
struct Spread: Sendable {
    private var values: [Double] = []

    var count: Int { values.count }

    mutating func add(_ value: Double) { values.append(value) }

    /// Adds a duration in milliseconds.
    mutating func add(_ duration: Duration) { values.append(duration / .milliseconds(1)) }

    mutating func add(_ other: Spread) { values += other.values }

    /// Returns a quantile. `share` is from 0 to 1; 0 if there are no values.
    func quantile(_ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }

    var median: Double { quantile(0.5) }

    /// Returns the least and the greatest value.
    func range(_ decimals: Int) -> String {
        String(format: "%.\(decimals)f to %.\(decimals)f", values.min() ?? 0, values.max() ?? 0)
    }
}
