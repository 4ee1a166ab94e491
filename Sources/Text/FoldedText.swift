import Foundation

/// A text prepared for searches, in two spellings, each computed once and in linear time.
package struct FoldedText: Sendable {
    /// The text with letter case and compatible spellings folded (``NameFolding``), without invisible characters
    /// (zero-width characters, soft hyphens, variation selectors, marks of direction), and with each run of white space
    /// as one space.
    package let scalars: [UInt32]
    /// The same without the marks on letters, and with lookalikes replaced by Latin letters (``Lookalikes``).
    package let skeleton: [UInt32]

    package init(_ text: String) {
        let folded = NameFolding.key(text)
        guard !folded.utf8.allSatisfy({ $0 < 0x80 }) else {
            scalars = Self.spaced(folded.unicodeScalars)
            skeleton = scalars
            return
        }
        let seen = Self.seen(folded)
        scalars = Self.spaced(seen.unicodeScalars)
        var bare = String.UnicodeScalarView()
        for scalar in seen.decomposedStringWithCompatibilityMapping.unicodeScalars
        where !Lookalikes.isDropped(scalar.value) {
            if let letters = Lookalikes.letters[scalar] {
                bare.append(contentsOf: letters.unicodeScalars)
            } else {
                bare.append(scalar)
            }
        }
        let skeleton = Self.spaced(String(bare).precomposedStringWithCanonicalMapping.unicodeScalars)
        self.skeleton = skeleton == scalars ? scalars : skeleton
    }

    /// True if the two spellings differ.
    package var isDisguised: Bool { scalars != skeleton }

    /// Returns the first `length` scalars of a range of one of the spellings.
    package static func excerpt(_ range: Range<Int>, of scalars: [UInt32], length: Int) -> String {
        var text = String.UnicodeScalarView()
        for value in scalars[range].prefix(length) {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    /// Returns the text without default-ignorable code points, and recomposed if one stood between a letter and its
    /// mark.
    private static func seen(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: \.properties.isDefaultIgnorableCodePoint) else { return text }
        var kept = String.UnicodeScalarView()
        for scalar in scalars where !scalar.properties.isDefaultIgnorableCodePoint { kept.append(scalar) }
        return NameFolding.key(StreamSafeText.bounded(String(kept)))
    }

    private static func spaced(_ text: String.UnicodeScalarView) -> [UInt32] {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(text.underestimatedCount)
        for scalar in text {
            let isSpace = scalar.properties.isWhitespace
            if isSpace, scalars.last == 0x20 { continue }
            scalars.append(isSpace ? 0x20 : scalar.value)
        }
        return scalars
    }
}
