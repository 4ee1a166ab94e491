extension Schema004 {
    /// Watch events, and what recommendations are worked out from.
    static let recommendations = ""
}
