extension String {
    /// Scalars of a client's own text that an answer or the log repeats.
    private static let echoedLength = 64

    /// A client's own text, cut so that it may be repeated in an answer.
    package var echoed: String {
        guard unicodeScalars.count > Self.echoedLength else { return self }
        var cut = String.UnicodeScalarView()
        cut.append(contentsOf: unicodeScalars.prefix(Self.echoedLength))
        return String(cut) + "…"
    }
}
