/// Numbers in spoken form.
enum NumberWords {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
        "twentieth",
    ]

    private static let cardinalValues: [String: Int] = {
        var values = Dictionary(uniqueKeysWithValues: small.enumerated().map { ($1, $0) })
        for (index, word) in tens.enumerated() { values[word] = 20 + 10 * index }
        values["couple"] = 2
        return values
    }()

    private static let ordinalValues = Dictionary(uniqueKeysWithValues: ordinals.enumerated().map { ($1, $0 + 1) })

    /// Parses `seven`, `forty` or `12`.
    static func cardinal(_ word: String) -> Int? {
        if let value = cardinalValues[word] { return value }
        guard word.utf8.count <= 6, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(word)
    }

    static func isTens(_ word: String) -> Bool { tens.contains(word) }

    /// Parses `third`; from 1.
    static func ordinal(_ word: String) -> Int? { ordinalValues[word] }

    /// Endings of an ordinal in digits.
    static let ordinalEndings: Set = ["st", "nd", "rd", "th"]
}
