/// The words by which communities are found.
enum CommunityTerms {
    /// The folded words of a name, each once.
    static func terms(of name: String) -> [String] {
        var terms: [String] = []
        for word in words(of: name) where !terms.contains(word) { terms.append(word) }
        return terms
    }

    /// What is asked for: whole words, and how another one begins. Nil: nothing to go by.
    static func query(_ text: String) -> (whole: [String], beginning: String)? {
        var words = words(of: text)
        return words.popLast().map { (words, $0) }
    }

    private static func words(of text: String) -> [String] {
        NameFolding.key(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
}
