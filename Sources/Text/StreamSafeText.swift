/// The bound on combining marks that keeps Unicode normalisation linear.
///
/// Normalisation sorts the marks that follow a base character, at a cost that grows with the square of their number,
/// and Swift normalises wherever it compares, hashes or folds a `String`. Unicode's Stream-Safe Text Format (UAX #15,
/// section 13) allows 30 marks in a row, more than any language writes. Text from outside is checked before its first
/// comparison; after that every operation on it is linear.
package enum StreamSafeText {
    /// Combining marks that may follow one another.
    package static let marksInARow = 30
    /// The rule in words, for an error message.
    package static let rule = "at most \(marksInARow) combining marks may follow one another"

    /// The smallest first byte of a mark in UTF-8: that of U+0300.
    package static let leastMarkByte: UInt8 = 0xCC

    /// Returns whether `bytes`, which are valid UTF-8, have at most ``marksInARow`` marks in a row. Linear; text
    /// without bytes from ``leastMarkByte`` on is only scanned.
    package static func holds(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.firstIndex(where: { $0 >= leastMarkByte }) else { return true }
        var (place, marks) = (first, 0)
        while place < bytes.count {
            let byte = bytes[place]
            guard byte >= leastMarkByte else {
                // The base of the following marks. A continuation byte occurs here only after a lead byte of a scalar
                // below U+0300.
                place += 1
                marks = 0
                continue
            }
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            guard place + length <= bytes.count else { return true }
            var scalar = UInt32(byte) & (0xFF >> UInt32(length + 1))
            for next in place + 1..<place + length { scalar = scalar << 6 | UInt32(bytes[next] & 0x3F) }
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks <= marksInARow else { return false }
            place += length
        }
        return true
    }

    package static func holds(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(holds) ?? holds(Array(text.utf8))
    }

    package static func holds(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(holds) }

    /// Returns `text` without the marks beyond the limit.
    package static func bounded(_ text: String) -> String {
        guard !holds(text) else { return text }
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar.value) ? marks + 1 : 0
            if marks <= marksInARow { kept.append(scalar) }
        }
        return String(kept)
    }

    /// Returns whether normalisation may move or join a scalar: marks of every kind, and the two halfwidth sound marks,
    /// whose compatible spellings are marks.
    package static func isMark(_ value: UInt32) -> Bool {
        switch value {
        case 0x300...0x36F: return true
        case ..<0x483, 0x3400...0x9FFF, 0xAC00...0xD7FF, 0x1F000...0x1FAFF: return false
        case 0xFF9E, 0xFF9F: return true
        default: break
        }
        switch Unicode.Scalar(value)?.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
