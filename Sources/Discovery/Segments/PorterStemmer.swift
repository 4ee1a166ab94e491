/// The English stemmer of M. F. Porter, known as Porter2 (Snowball, snowballstem.org/algorithms/english/stemmer.html):
/// `stretches`, `stretching` and `stretched` have one stem. A word with characters other than the letters a to z and
/// the apostrophe is its own stem.
package enum PorterStemmer {
    /// Returns the stem of `word`, which must be lower case.
    package static func stem(_ word: String) -> String {
        let letters = Array(word.unicodeScalars)
        guard letters.count > 2, letters.allSatisfy({ ("a"..."z").contains($0) || $0 == "'" }) else { return word }
        if let irregular = irregular[word] { return irregular }
        var stem = Stem(letters)
        stem.markConsonantY()
        stem.findRegions()
        stem.removePossessive()
        stem.removePlural()
        if notStemmedFurther.contains(stem.text) { return stem.text }
        stem.removePastAndProgressive()
        stem.replaceFinalY()
        stem.shortenSuffixes()
        stem.shortenMoreSuffixes()
        stem.removeSuffixes()
        stem.removeFinalE()
        return stem.text.lowercased()
    }

    private static let irregular = [
        "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
        "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky",
        "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
    ]

    private static let notStemmedFurther: Set = [
        "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
    ]
}

/// A word during stemming. An upper-case `Y` is a consonant.
private struct Stem {
    private var letters: [Unicode.Scalar]
    /// Start of the regions R1 and R2.
    private var first = 0
    private var second = 0

    init(_ letters: [Unicode.Scalar]) {
        self.letters = letters
        if letters[0] == "'" { self.letters.removeFirst() }
    }

    var text: String { String(String.UnicodeScalarView(letters)) }

    mutating func markConsonantY() {
        for index in letters.indices where letters[index] == "y" {
            if index == 0 || isVowel(letters[index - 1]) { letters[index] = "Y" }
        }
    }

    mutating func findRegions() {
        let prefixes = ["gener", "commun", "arsen"]
        let prefix = prefixes.first { letters.starts(with: $0.unicodeScalars) }
        first = prefix?.unicodeScalars.count ?? region(from: 0)
        second = region(from: first)
    }

    /// Returns the start of the region after the first consonant that follows a vowel.
    private func region(from start: Int) -> Int {
        var index = start
        while index + 1 < letters.count {
            if isVowel(letters[index]), !isVowel(letters[index + 1]) { return index + 2 }
            index += 1
        }
        return letters.count
    }

    // MARK: Steps

    /// Step 0.
    mutating func removePossessive() {
        if let suffix = longest(["'", "'s", "'s'"]) { drop(suffix) }
    }

    /// Step 1a.
    mutating func removePlural() {
        guard let suffix = longest(["sses", "ied", "ies", "s", "us", "ss"]) else { return }
        switch suffix {
        case "sses": replace(suffix, "ss")
        case "ied", "ies": replace(suffix, letters.count > 4 ? "i" : "ie")
        case "s":
            // A vowel must precede the last letter but one.
            if letters.dropLast(2).contains(where: isVowel) { drop(suffix) }
        default: break
        }
    }

    /// Step 1b.
    mutating func removePastAndProgressive() {
        guard let suffix = longest(["eed", "eedly", "ed", "edly", "ing", "ingly"]) else { return }
        if suffix.hasPrefix("eed") {
            if isInFirst(suffix) { replace(suffix, "ee") }
            return
        }
        guard letters.dropLast(suffix.unicodeScalars.count).contains(where: isVowel) else { return }
        drop(suffix)
        if longest(["at", "bl", "iz"]) != nil {
            letters.append("e")
        } else if longest(["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"]) != nil {
            letters.removeLast()
        } else if first >= letters.count, endsInShortSyllable(letters.count) {
            letters.append("e")
        }
    }

    /// Step 1c.
    mutating func replaceFinalY() {
        guard letters.count > 2, let last = letters.last, last == "y" || last == "Y" else { return }
        if !isVowel(letters[letters.count - 2]) { letters[letters.count - 1] = "i" }
    }

    /// Step 2.
    mutating func shortenSuffixes() {
        let replacements = [
            "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
            "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al",
            "alli": "al", "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive",
            "biliti": "ble", "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": "",
        ]
        guard let suffix = longest(Array(replacements.keys)), isInFirst(suffix), let new = replacements[suffix] else {
            return
        }
        let before = letters.dropLast(suffix.unicodeScalars.count).last
        switch suffix {
        case "ogi": if before == "l" { replace(suffix, new) }
        case "li": if let before, "cdeghkmnrt".unicodeScalars.contains(before) { drop(suffix) }
        default: replace(suffix, new)
        }
    }

    /// Step 3.
    mutating func shortenMoreSuffixes() {
        let replacements = [
            "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
            "ness": "", "ative": "",
        ]
        guard let suffix = longest(Array(replacements.keys)), isInFirst(suffix), let new = replacements[suffix] else {
            return
        }
        if suffix != "ative" || isInSecond(suffix) { replace(suffix, new) }
    }

    /// Step 4.
    mutating func removeSuffixes() {
        let suffixes = [
            "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate", "iti", "ous",
            "ive", "ize", "ion",
        ]
        guard let suffix = longest(suffixes), isInSecond(suffix) else { return }
        if suffix == "ion" {
            guard let before = letters.dropLast(3).last, before == "s" || before == "t" else { return }
        }
        drop(suffix)
    }

    /// Step 5.
    mutating func removeFinalE() {
        switch letters.last {
        case "e":
            if isInSecond("e") || isInFirst("e") && !endsInShortSyllable(letters.count - 1) { letters.removeLast() }
        case "l":
            if isInSecond("l"), letters.dropLast().last == "l" { letters.removeLast() }
        default: break
        }
    }

    // MARK: Parts of a word

    private func isVowel(_ letter: Unicode.Scalar) -> Bool { "aeiouy".unicodeScalars.contains(letter) }

    /// Returns true if the first `count` letters end in a short syllable: a vowel between consonants, the last of which
    /// is not w, x or Y; or a vowel and one consonant at the start of the word.
    private func endsInShortSyllable(_ count: Int) -> Bool {
        if count == 2 { return isVowel(letters[0]) && !isVowel(letters[1]) }
        guard count > 2 else { return false }
        let (before, vowel, after) = (letters[count - 3], letters[count - 2], letters[count - 1])
        return !isVowel(before) && isVowel(vowel) && !isVowel(after) && !"wxY".unicodeScalars.contains(after)
    }

    private func longest(_ suffixes: [String]) -> String? {
        suffixes.filter { hasSuffix($0) }.max { $0.unicodeScalars.count < $1.unicodeScalars.count }
    }

    private func hasSuffix(_ suffix: String) -> Bool {
        letters.count >= suffix.unicodeScalars.count
            && letters.suffix(suffix.unicodeScalars.count).elementsEqual(suffix.unicodeScalars)
    }

    private func isInFirst(_ suffix: String) -> Bool { letters.count - suffix.unicodeScalars.count >= first }

    private func isInSecond(_ suffix: String) -> Bool { letters.count - suffix.unicodeScalars.count >= second }

    private mutating func drop(_ suffix: String) { letters.removeLast(suffix.unicodeScalars.count) }

    private mutating func replace(_ suffix: String, _ new: String) {
        drop(suffix)
        letters.append(contentsOf: new.unicodeScalars)
    }
}
