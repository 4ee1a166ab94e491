/// A text as rules look at it: folded (``NameFolding``), each run of white space one space.
struct FoldedText: Sendable {
    let scalars: [UInt32]

    init(_ text: String) {
        var scalars: [UInt32] = []
        for scalar in NameFolding.key(text).unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if isSpace, scalars.last == 0x20 { continue }
            scalars.append(isSpace ? 0x20 : scalar.value)
        }
        self.scalars = scalars
    }

    /// For people to read: at most ``SocialGraphLimits/matchedTextLength`` scalars.
    func excerpt(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        for value in scalars[range].prefix(SocialGraphLimits.matchedTextLength) {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }
}
