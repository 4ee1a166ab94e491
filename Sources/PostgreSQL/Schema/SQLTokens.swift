/// A statement of the schema as a list of tokens: words, quoted texts, operators and punctuation.
struct SQLTokens {
    var tokens: [Substring]

    /// - Parameter text: one statement, without comments between its tokens in the result.
    init(_ text: Substring) {
        tokens = []
        var rest = text
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else {
                let token = rest.prefix(Self.length(of: rest, first))
                tokens.append(token)
                rest = rest.dropFirst(token.count)
            }
        }
    }

    private static let operators: Set<Character> = ["<", ">", "=", "|", "+", "-", "*", "/", "%", "!"]

    private static func length(of rest: Substring, _ first: Character) -> Int {
        if first == "'" || first == "\"" {
            // Quoted parts that follow one another directly are one text with a doubled quote in it.
            let end = rest.dropFirst().firstIndex(of: first) ?? rest.index(before: rest.endIndex)
            let length = rest.distance(from: rest.startIndex, to: end) + 1
            let next = rest.dropFirst(length)
            return next.first == first ? length + Self.length(of: next, first) : length
        }
        if operators.contains(first) { return rest.prefix { operators.contains($0) }.count }
        return max(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.count, 1)
    }

    /// Returns whether the statement begins with `words`.
    func begins(with words: String...) -> Bool { tokens.starts(with: words) { $0 == $1 } }

    /// Splits a script into statements. The statements of a trigger's body do not end it.
    static func statements(_ script: String) -> [SQLTokens] {
        var statements: [SQLTokens] = []
        var current = SQLTokens("")
        for token in SQLTokens(script[...]).tokens {
            let isInBody = current.tokens.contains("BEGIN") && current.tokens.last != "END"
            if token == ";", !isInBody {
                if !current.tokens.isEmpty { statements.append(current) }
                current = SQLTokens("")
            } else {
                current.tokens.append(token)
            }
        }
        if !current.tokens.isEmpty { statements.append(current) }
        return statements
    }
}
