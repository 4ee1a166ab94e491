import SocialGraph

/// What a list of posts is asked for: words, a filter, and an order.
package struct PostQuery: Sendable, Equatable {
    /// Nil: a list without a search. Text without a word in it finds nothing.
    package var words: String?
    package var filter: PostFilter
    package var sort: PostSort

    package init(words: String? = nil, filter: PostFilter = PostFilter(), sort: PostSort? = nil) {
        self.words = words
        self.filter = filter
        self.sort = sort ?? (words == nil ? .recency : .relevance)
    }
}

/// The order of a list of posts.
package enum PostSort: String, Sendable, CaseIterable {
    /// How well the words fit, best first; without words the same as ``recency``.
    case relevance
    /// The latest first.
    case recency
    /// The most engagement first: likes, comments twice, shares three times, as trending weighs them.
    case popularity
}
