import ServiceTestSupport
import StrictJSON

/// The metrics and labels in an expression of PromQL, found in its text: enough for the alert rules and the dashboard.
struct MetricQuery {
    struct Selector: Equatable {
        var metric: String
        var matchers: [Matcher] = []
    }

    struct Matcher: Equatable {
        let label: String
        let comparison: String
        let value: String
    }

    private(set) var selectors: [Selector] = []
    /// The labels of `by` and `on`.
    private(set) var groupings: Set<String> = []

    private static let words: Set<String> = ["and", "or", "unless", "bool", "offset"]

    init(_ expression: String) {
        var text = expression
        for match in text.matches(of: /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/) {
            groupings.formUnion(match.1.split(separator: /[,\s]+/).map(String.init))
        }
        text = text.replacing(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/, with: " ")
        text = text.replacing(/\[[^\]]*\]/, with: " ")
        // A name before a parenthesis is a function.
        let selector = /\b([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{[^}]*\}|\()?/
        while let match = text.firstMatch(of: selector) {
            text = String(text[match.range.upperBound...])
            guard match.2 != "(", !Self.words.contains(String(match.1)) else { continue }
            let matchers = (match.2 ?? "").matches(of: /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/)
            selectors.append(
                Selector(
                    metric: String(match.1),
                    matchers: matchers.map {
                        Matcher(label: String($0.1), comparison: String($0.2), value: String($0.3))
                    }))
        }
    }

    /// Returns the names, labels and values that are not among the metrics of a server.
    ///
    /// - Parameter metrics: the label sets of each metric.
    func unknown(in metrics: [String: [[String: String]]]) -> [String] {
        var unknown: [String] = []
        var labels = Self.scraped
        for selector in selectors where selector.metric != "up" {
            guard let sets = metrics[selector.metric] else {
                unknown.append(selector.metric)
                continue
            }
            labels.formUnion(sets.flatMap(\.keys))
            for matcher in selector.matchers where !Self.scraped.contains(matcher.label) {
                let values = Set(sets.compactMap { $0[matcher.label] })
                if values.isEmpty { unknown.append("\(selector.metric){\(matcher.label)}") }
                guard ["=", "=~"].contains(matcher.comparison), !Self.open.contains(matcher.label) else { continue }
                for value in matcher.value.split(separator: "|") where !values.contains(String(value)) {
                    unknown.append("\(selector.metric){\(matcher.label)=\(value)}")
                }
            }
        }
        return unknown + groupings.subtracting(labels).sorted()
    }

    /// Labels that Prometheus adds when it scrapes.
    private static let scraped: Set<String> = ["job", "instance"]
    /// Labels whose values appear only once there was such a request.
    private static let open: Set<String> = ["status", "route", "method"]
}

/// A rule of the file of alerts.
struct AlertRule {
    var name: String
    var members: [String: String] = [:]

    /// Reads the rules: each has members `key: value` or `key: >-` with deeper lines.
    static func read(_ yaml: String) -> [AlertRule] {
        var (rules, folded): ([AlertRule], (key: String, indent: Int)?) = ([], nil)
        for line in yaml.split(separator: "\n") where !line.hasPrefix("#") {
            let indent = line.prefix { $0 == " " }.count
            let text = line.drop { $0 == " " }
            if let start = text.wholeMatch(of: /- alert: (\w+)/) {
                rules.append(AlertRule(name: String(start.1)))
                folded = nil
            } else if let key = folded?.key, let above = folded?.indent, indent > above, !rules.isEmpty {
                rules[rules.count - 1].members[key, default: ""] += text + " "
            } else if let member = text.wholeMatch(of: /(\w+): (.+)/), !rules.isEmpty {
                folded = member.2 == ">-" ? (String(member.1), indent) : nil
                rules[rules.count - 1].members[String(member.1)] = folded == nil ? String(member.2) : ""
            }
        }
        return rules
    }
}

extension JSONValue {
    /// The values of every member of this name, at any depth.
    func texts(of name: String) -> [String] {
        switch self {
        case .object(let members):
            members.flatMap { member in
                (member.name == name ? [member.value.text].compactMap(\.self) : []) + member.value.texts(of: name)
            }
        case .array(let values): values.flatMap { $0.texts(of: name) }
        default: []
        }
    }
}
