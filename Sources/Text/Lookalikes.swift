/// The subset of Unicode's confusable characters (UTS #39) that rules resolve: marks on letters, and the letters of
/// other alphabets that most often replace Latin ones.
///
/// The table is short on purpose. It holds small letters, since text is folded before, and only those that look the
/// same in common typefaces. Digits and signs that are read as letters (`fr33`, `$ell`) are for patterns.
enum Lookalikes {
    /// Returns whether a mark is removed because it does not change the letter: accents of Latin, Greek and Cyrillic
    /// letters, and the optional points of Hebrew and vowel signs of Arabic. Vowel signs of Indic scripts and of Thai,
    /// and the sound marks of Japanese, make other words and are kept.
    static func isDropped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7, 0x610...0x61A,
            0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
            true
        default: false
        }
    }

    /// Latin letters by their lookalikes.
    static let letters: [Unicode.Scalar: String] = {
        let families = [
            // Cyrillic, Greek, then other Latin letters.
            "a": "аαɑ", "b": "ƅ", "c": "сϲᴄ", "d": "ԁđɗ", "e": "еεɛ", "g": "ɡǥ", "h": "һħ", "i": "іιıɩ", "j": "јϳȷ",
            "k": "кκĸ", "l": "ӏłƚ", "n": "ηɴ", "o": "оοσօøɵ", "p": "рρ", "q": "ԛ", "s": "ѕꜱ", "t": "ŧ", "u": "υսʋ",
            "v": "ѵνᴠ", "w": "ԝѡᴡ", "x": "хχ", "y": "уүγʏ", "z": "ᴢƶ", "ae": "æ", "oe": "œ", "ss": "ß", "th": "þ",
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for (latin, alike) in families {
            for scalar in alike.unicodeScalars { letters[scalar] = latin }
        }
        return letters
    }()
}
