extension Schema004 {
    /// Vectors that the app computes of posts.
    static let embeddings = ""
}
