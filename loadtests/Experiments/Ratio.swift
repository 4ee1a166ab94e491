import Foundation

/// A figure and its limit, pair by pair, so that a drift in the machine's speed changes both.
struct Ratio {
    let name: String
    private var pairs: [(ours: Double, limit: Double)] = []

    init(_ name: String) { self.name = name }

    mutating func add(ours: Double, limit: Double) {
        pairs.append((ours, limit))
        let line = String(
            format: "%@ run %d: %.0f against %.0f, ratio %.2f", name, pairs.count, ours, limit, ours / limit)
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// `name ours limit ratio (min…max)`, medians.
    var summary: String {
        let ratios = pairs.map { $0.ours / $0.limit }.sorted()
        return String(
            format: "%@: %.0f/s against %.0f/s, ratio %.2f (%.2f to %.2f over %d runs)", name,
            median(pairs.map(\.ours)),
            median(pairs.map(\.limit)), median(ratios), ratios.first ?? 0, ratios.last ?? 0, ratios.count)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
