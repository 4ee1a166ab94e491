/// The text forms of the server's types `tsvector` and `tsquery`.
enum Lexemes {
    /// The server keeps at most 2,046 bytes of a word. A longer one is kept as its beginning and a digest of it all.
    private static let longest = 2_000

    static func quoted(_ word: String) -> String {
        let escaped = lexeme(word).flatMap { $0 == "'" || $0 == "\\" ? [$0, $0] : [$0] }
        return "'" + String(escaped) + "'"
    }

    static func lexeme(_ word: String) -> String {
        guard word.utf8.count > longest else { return word }
        var beginning = String.UnicodeScalarView()
        var length = 0
        for scalar in word.unicodeScalars {
            length += UTF8.width(scalar)
            if length > longest { break }
            beginning.append(scalar)
        }
        return String(beginning) + String(digest(word), radix: 16)
    }

    /// FNV-1a.
    private static func digest(_ word: String) -> UInt64 {
        word.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The vector of a document: each word with the labels of the columns that have it. A label needs one position; the
    /// server keeps few positions of a word, so places of words in the text are not in the vector.
    static func vector(_ columns: [(label: ColumnLabel, words: [String])]) -> String {
        var labels: [String: Set<ColumnLabel>] = [:]
        for column in columns {
            for word in column.words { labels[word, default: []].insert(column.label) }
        }
        return labels.map { word, labels in
            quoted(word) + ":" + labels.map { "\($0.position)\($0.rawValue)" }.joined(separator: ",")
        }
        .joined(separator: " ")
    }
}

/// The labels that the server gives to the positions of words. There are four, so columns of middling weight share one.
enum ColumnLabel: String, CaseIterable {
    case heaviest = "A"
    case heavy = "B"
    case light = "C"
    case lightest = "D"

    fileprivate var position: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
