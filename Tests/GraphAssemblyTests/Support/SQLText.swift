/// Finds statements in Swift source and lists their SQLite-specific parts.
enum SQLText {
    static func faults(in source: String) -> [String] { literals(in: source).filter(isStatement).flatMap(faults(of:)) }

    static func faults(of statement: String) -> [String] {
        let upper = statement.uppercased()
        let words = ["PRAGMA", "INSERT OR", "REPLACE INTO", "GLOB", "ROWID", "DATETIME(", "JSON_"]
        return words.filter(upper.contains) + unnumberedParameters(of: statement)
    }

    /// Parameters that are named, or `?` without a number.
    private static func unnumberedParameters(of statement: String) -> [String] {
        let characters = Array(statement) + [" "]
        return zip(characters, characters.dropFirst()).compactMap { sign, next in
            switch sign {
            case "?" where !next.isNumber: "? without a number"
            case ":", "@", "$": next.isLetter ? "\(sign)\(next)…" : nil
            default: nil
            }
        }
    }

    private static func isStatement(_ literal: String) -> Bool {
        let first = literal.prefix { $0.isLetter }
        return ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "PRAGMA", "WITH"].contains(String(first))
    }

    /// The string literals of both kinds, without those in comments.
    private static func literals(in source: String) -> [String] {
        var literals: [String] = []
        var open: [String]?
        for line in source.split(separator: "\n") {
            let text = String(line.drop { $0 == " " })
            if let lines = open {
                let ends = text.hasPrefix("\"\"\"")
                if ends { literals.append(lines.joined(separator: "\n")) }
                open = ends ? nil : lines + [text]
            } else if text.hasSuffix("\"\"\"") {
                open = []
            } else if !text.hasPrefix("//") {
                literals += text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        }
        return literals
    }
}
