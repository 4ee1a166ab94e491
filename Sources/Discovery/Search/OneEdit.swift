/// The words one typing error away from a word: two neighbours swapped, or a letter omitted, added or mistaken.
/// (Damerau, CACM 1964: four typing errors in five. The candidates are generated rather than looked up: Norvig, 2007.)
enum OneEdit {
    /// Returns each word once, ascending, without `word` itself. Letters come from the alphabets of the word.
    static func words(near word: String) -> [String] {
        let letters = Array(word.unicodeScalars)
        let alphabet = alphabet(of: letters)
        var found: Set<String> = []
        func add(_ scalars: [Unicode.Scalar]) {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            found.insert(String(view))
        }
        for place in letters.indices {
            let (head, tail) = (Array(letters[..<place]), Array(letters[(place + 1)...]))
            add(head + tail)
            if let next = tail.first { add(head + [next, letters[place]] + tail.dropFirst()) }
            for letter in alphabet {
                add(head + [letter] + tail)
                add(head + [letter, letters[place]] + tail)
            }
        }
        for letter in alphabet { add(letters + [letter]) }
        found.remove(word)
        return found.sorted()
    }

    /// Lower-case letters of the index, by script; digits for words that have one.
    private static let alphabets: [ClosedRange<Unicode.Scalar>] = [
        "a"..."z", "0"..."9", "α"..."ω", "а"..."џ", "ա"..."ֆ", "א"..."ת", "ا"..."ي", "ა"..."ჰ",
    ]

    private static func alphabet(of letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        alphabets.filter { letters.contains(where: $0.contains) }
            .flatMap { ($0.lowerBound.value...$0.upperBound.value).compactMap(Unicode.Scalar.init) }
    }
}
