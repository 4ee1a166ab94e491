import Foundation

/// A line plot as self-contained SVG; its colours come from the page's style.
struct Plot {
    struct Line {
        let name: String
        let points: [(x: Double, y: Double)]
    }

    enum Scale: Sendable { case linear, logarithmic }

    let title: String
    let xTitle: String
    let yTitle: String
    var yScale = Scale.linear
    /// Labels of the horizontal axis, by their values; empty if they are chosen from the data.
    var ticks: [(value: Double, label: String)] = []
    let lines: [Line]

    private static let (width, height) = (560.0, 260.0)
    private static let (left, right, top, bottom) = (56.0, 12.0, 30.0, 40.0)

    var svg: String {
        let all = lines.flatMap(\.points)
        guard let low = all.map(\.x).min(), let high = all.map(\.x).max(), let ends = yRange(all.map(\.y)) else {
            return ""
        }
        func x(_ value: Double) -> Double {
            Self.left + (value - low) / max(high - low, 1e-9) * (Self.width - Self.left - Self.right)
        }
        func y(_ value: Double) -> Double {
            let share = (scaled(value) - scaled(ends.low)) / max(scaled(ends.high) - scaled(ends.low), 1e-9)
            return Self.height - Self.bottom - min(max(share, 0), 1) * (Self.height - Self.top - Self.bottom)
        }
        var svg = #"<svg viewBox="0 0 \#(Self.width) \#(Self.height)" role="img" aria-label="\#(title.escaped)">"#
        svg += text(Self.left, 16, "start", title, "title")
        for value in yTicks(ends) {
            svg += #"<line class="grid" x1="\#(Self.left)" x2="\#(Self.width - Self.right)" "#
            svg += #"y1="\#(y(value).short)" y2="\#(y(value).short)"/>"#
            svg += text(Self.left - 6, y(value) + 4, "end", value.short, "tick")
        }
        for tick in ticks.isEmpty ? Self.chosen(low, high) : ticks {
            svg += text(x(tick.value), Self.height - Self.bottom + 16, "middle", tick.label, "tick")
        }
        svg += text((Self.left + Self.width) / 2, Self.height - 6, "middle", "\(xTitle)   ·   \(yTitle)", "axis")
        for (number, line) in lines.enumerated() {
            let points = line.points.map { "\(x($0.x).short),\(y($0.y).short)" }.joined(separator: " ")
            svg += #"<polyline class="line c\#(number % 6)" points="\#(points)"><title>\#(line.name.escaped)</title>"#
            svg += "</polyline>"
        }
        return svg + "</svg>" + (lines.count > 1 ? legend : "")
    }

    private var legend: String {
        let names = lines.enumerated().map { #"<li class="c\#($0 % 6)">\#($1.name.escaped)</li>"# }.joined()
        return #"<ul class="legend">\#(names)</ul>"#
    }

    private func scaled(_ value: Double) -> Double { yScale == .linear ? value : log10(max(value, 1e-6)) }

    private func yRange(_ values: [Double]) -> (low: Double, high: Double)? {
        guard let most = values.max(), let least = values.filter({ $0 > 0 }).min() ?? values.min() else { return nil }
        if yScale == .linear { return (0, most > 0 ? most * 1.05 : 1) }
        return (pow(10, floor(log10(max(least, 1e-3)))), pow(10, ceil(log10(max(most, 1e-2)))))
    }

    private func yTicks(_ ends: (low: Double, high: Double)) -> [Double] {
        if yScale == .linear { return Self.chosen(ends.low, ends.high).map(\.value) }
        return stride(from: log10(ends.low), through: log10(ends.high) + 0.01, by: 1).map { pow(10, $0.rounded()) }
    }

    /// Returns about five round values.
    private static func chosen(_ low: Double, _ high: Double) -> [(value: Double, label: String)] {
        guard high > low else { return [(low, low.short)] }
        let rough = (high - low) / 5
        let magnitude = pow(10, floor(log10(rough)))
        let step = [1, 2, 5, 10].map { $0 * magnitude }.first { $0 >= rough } ?? rough
        return stride(from: ceil(low / step) * step, through: high, by: step).map { ($0, $0.short) }
    }

    private func text(_ x: Double, _ y: Double, _ anchor: String, _ text: String, _ style: String) -> String {
        #"<text class="\#(style)" x="\#(x.short)" y="\#(y.short)" text-anchor="\#(anchor)">\#(text.escaped)</text>"#
    }
}

extension Double {
    /// The number with at most three significant decimals, thousands as k and M.
    var short: String {
        switch abs(self) {
        case 1e6...: String(format: "%.3gM", self / 1e6)
        case 1e4...: String(format: "%.3gk", self / 1e3)
        case 100...: String(format: "%.0f", self)
        default: String(format: "%.3g", self)
        }
    }
}

extension String {
    /// The string escaped for text or an attribute of HTML.
    var escaped: String {
        var escaped = ""
        for character in self {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
