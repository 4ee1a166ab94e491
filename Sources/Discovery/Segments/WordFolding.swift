/// Splits text into words for comparison: lower case, without diacritics.
package enum WordFolding {
    /// Returns the words of a label, a command or a transcript. Camel case is split (`sauceMaking`), hyphens separate
    /// words, and apostrophes do not (`let's` is `lets`). Scripts without spaces are split into characters, and so are
    /// pictographic symbols.
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previous = Kind.other
        func close() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in text.unicodeScalars {
            let kind = Kind(scalar)
            switch kind {
            case .mark: continue
            case .apostrophe: continue
            case .other: close()
            case .single:
                close()
                words.append(String(scalar))
            case .lower, .upper, .digit:
                // Callers read clock times first, so `3min` may be split into two words here, as `sauceMaking` is.
                let parts =
                    kind == .upper && previous == .lower || (kind == .digit) != (previous == .digit) && !word.isEmpty
                if parts { close() }
                append(scalar, to: &word)
            }
            previous = kind
        }
        close()
        return words
    }

    private enum Kind {
        case lower, upper, digit, single, mark, apostrophe, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x61...0x7A: self = .lower
            case 0x41...0x5A: self = .upper
            case 0x30...0x39: self = .digit
            case 0x27, 0x2019: self = .apostrophe
            case ..<0x80: self = .other
            case 0x300...0x36F, 0xFE00...0xFE0F, 0x200D: self = .mark
            case 0x0E00...0x0E7F, 0x3040...0x30FF, 0x3400...0x9FFF, 0x20000...0x3FFFF: self = .single
            default: self.init(properties: scalar.properties)
            }
        }

        private init(properties: Unicode.Scalar.Properties) {
            switch properties.generalCategory {
            case .uppercaseLetter, .titlecaseLetter: self = .upper
            case .decimalNumber: self = .digit
            case .nonspacingMark, .enclosingMark, .spacingMark: self = .mark
            case .otherSymbol: self = .single
            default: self = properties.isAlphabetic ? .lower : .other
            }
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to word: inout String) {
        guard scalar.value >= 0x80 else {
            word.unicodeScalars.append((0x41...0x5A).contains(scalar.value) ? lowered(scalar) : scalar)
            return
        }
        if let digit = scalar.properties.numericValue, scalar.properties.generalCategory == .decimalNumber {
            word += String(Int(digit))
            return
        }
        for scalar in scalar.properties.lowercaseMapping.unicodeScalars where Kind(scalar) != .mark {
            word += baseLetters[scalar] ?? String(scalar)
        }
    }

    private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value | 0x20))
    }

    /// Base letters of characters that Unicode encodes with their mark as one scalar, and of letters that ASCII spells
    /// differently.
    private static let baseLetters: [Unicode.Scalar: String] = {
        let families = [
            "a": "àáâãäåāăąǎ", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęěẽ", "g": "ĝğġģ", "h": "ĥħ", "i": "ìíîïĩīĭįı",
            "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņňŉ", "o": "òóôõöøōŏőơ", "r": "ŕŗř", "s": "śŝşšș", "t": "ţťŧț",
            "u": "ùúûüũūŭůűųư", "w": "ŵ", "y": "ýÿŷ", "z": "źżž", "ss": "ß", "ae": "æ", "oe": "œ", "th": "þ", "и": "й",
            "е": "ё", "α": "ά", "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ", "σ": "ς",
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for (base, variants) in families {
            for scalar in variants.unicodeScalars { letters[scalar] = base }
        }
        return letters
    }()
}
