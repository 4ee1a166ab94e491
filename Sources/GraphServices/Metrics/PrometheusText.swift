/// Text in the Prometheus exposition format 0.0.4.
package struct PrometheusText {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    package mutating func header(_ name: String, type: String, help: String) {
        text += "# HELP \(name) \(Self.escapedHelp(help))\n# TYPE \(name) \(type)\n"
    }

    package mutating func sample(_ name: String, _ labels: String, _ value: Double) {
        sample(name, labels, Self.number(value))
    }

    package mutating func sample(_ name: String, _ labels: String, _ value: UInt64) {
        sample(name, labels, String(value))
    }

    private mutating func sample(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    package static func number(_ value: Double) -> String {
        if value.isNaN {
            return "NaN"
        }
        if value.isInfinite {
            return value < 0 ? "-Inf" : "+Inf"
        }
        // "3", not "3.0", as far as every whole number is exact.
        if let whole = Int64(exactly: value), abs(value) < 9_007_199_254_740_992 {
            return String(whole)
        }
        return "\(value)"
    }

    package static func label(_ name: String, _ value: String) -> String {
        "\(labelName(name))=\"\(escapedLabel(value))\""
    }

    static func escapedLabel(_ value: String) -> String {
        escape(value, quotes: true)
    }

    private static func escapedHelp(_ value: String) -> String {
        escape(value, quotes: false)
    }

    private static func escape(_ value: String, quotes: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\"" where quotes: escaped.append(contentsOf: "\\\"".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Returns a metric name of `[a-zA-Z_:][a-zA-Z0-9_:]*`. Dots and hyphens of swift-metrics labels become `_`.
    static func metricName(_ label: String) -> String {
        identifier(label, allowsColon: true)
    }

    static func labelName(_ label: String) -> String {
        identifier(label, allowsColon: false)
    }

    private static func identifier(_ label: String, allowsColon: Bool) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in label.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                bytes.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if index == 0 {
                    bytes.append(UInt8(ascii: "_"))
                }
                bytes.append(byte)
            case UInt8(ascii: ":") where allowsColon: bytes.append(byte)
            default: bytes.append(UInt8(ascii: "_"))
            }
        }
        return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    }
}
