/// A small parser of the exposition format, written from its specification and not from graphd's writer. It refuses a
/// sample without TYPE, a header without a description, a histogram with falling buckets, a repeated sample and a
/// repeated header.
package struct PrometheusParser {
    package struct Malformed: Error {
        package let line: String
    }

    /// Samples by name and labels, such as `a_total{x=1,y=2}` (values unescaped).
    package private(set) var samples: [String: Double] = [:]
    /// The label sets of each metric. A histogram has its suffixes as metrics of their own.
    package private(set) var labels: [String: [[String: String]]] = [:]
    /// The description of each metric.
    package private(set) var help: [String: String] = [:]

    package init(_ text: String) throws {
        var types: [String: String] = [:]
        var lastBucket: (name: String, value: Double)?
        guard text.hasSuffix("\n") else { throw Malformed(line: "no line feed at the end") }
        for line in text.split(separator: "\n") {
            let malformed = Malformed(line: String(line))
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            if line.hasPrefix("# HELP ") {
                guard words.count == 4, !words[3].isEmpty,
                    help.updateValue(String(words[3]), forKey: String(words[2])) == nil
                else { throw malformed }
            } else if line.hasPrefix("# TYPE ") {
                guard types.updateValue(String(words[3]), forKey: String(words[2])) == nil else { throw malformed }
            } else {
                let (name, labels, value) = try Self.sample(line)
                let family = ["_bucket", "_sum", "_count"]
                    .first { name.hasSuffix($0) }
                    .map { String(name.dropLast($0.count)) }
                self.labels[name, default: []].append(Dictionary(uniqueKeysWithValues: labels))
                guard types[name] != nil || family.map({ types[$0] == "histogram" }) == true else { throw malformed }
                if name.hasSuffix("_bucket") {
                    let series = name + labels.filter { $0.0 != "le" }.map { "\($0)=\($1)" }.joined()
                    if let lastBucket, lastBucket.name == series, lastBucket.value > value { throw malformed }
                    lastBucket = (series, value)
                }
                let shown = labels.map { "\($0)=\($1)" }.joined(separator: ",")
                let key = labels.isEmpty ? name : "\(name){\(shown)}"
                guard samples.updateValue(value, forKey: key) == nil else { throw malformed }
            }
        }
    }

    private static func sample(_ line: Substring) throws -> (String, [(String, String)], Double) {
        let malformed = Malformed(line: String(line))
        var rest = line
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" })
        rest = rest.dropFirst(name.count)
        var labels: [(String, String)] = []
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = String(rest.prefix { $0 != "=" })
                rest = rest.dropFirst(label.count + 2)
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "n": value.append("\n")
                    case "\"": value.append("\"")
                    case "\\": value.append("\\")
                    default: throw malformed
                    }
                }
                labels.append((label, value))
                if rest.first == "," { rest = rest.dropFirst() }
                if rest.isEmpty { throw malformed }
            }
            rest = rest.dropFirst()
        }
        guard !name.isEmpty, rest.first == " ", let value = Double(rest.dropFirst()) else { throw malformed }
        return (name, labels, value)
    }
}
