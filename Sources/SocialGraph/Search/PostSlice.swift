/// The outcome of a scan for posts.
package struct PostSlice: Sendable, Equatable {
    /// The posts in the order of the scan.
    package let posts: [PostID]
    /// The place down to which everything has been examined, inclusive; nil: there are no more posts.
    package let end: PostID?
    /// Rows.
    package let examined: Int

    package init(posts: [PostID], end: PostID?, examined: Int) {
        self.posts = posts
        self.end = end
        self.examined = examined
    }

    package static let nothing = PostSlice(posts: [], end: nil, examined: 0)
}
