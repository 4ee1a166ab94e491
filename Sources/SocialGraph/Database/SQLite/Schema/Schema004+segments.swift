extension Schema004 {
    /// Labelled segments and transcripts of videos.
    static let segments = ""
}
