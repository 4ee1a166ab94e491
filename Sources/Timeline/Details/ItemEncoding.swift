import SocialGraph

/// The encodings of items and their authors, which are kept in memory.
package struct ItemEncoding: Sendable {
    package let post: @Sendable (Post) -> PostFragment
    package let author: @Sendable (AuthorProfile) -> AuthorCard

    package init(
        post: @escaping @Sendable (Post) -> PostFragment, author: @escaping @Sendable (AuthorProfile) -> AuthorCard
    ) {
        self.post = post
        self.author = author
    }

    /// An encoding for callers that use no JSON.
    package static let none = ItemEncoding(
        post: { PostFragment(post: $0, json: []) }, author: { _ in AuthorCard(json: []) })
}
