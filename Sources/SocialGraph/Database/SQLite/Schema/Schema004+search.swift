extension Schema004 {
    /// The full-text index of posts, people and communities.
    static let search = ""
}
