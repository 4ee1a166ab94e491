import SocialGraph

/// A request for a list of posts: words, a filter and an order.
package struct PostQuery: Sendable, Equatable {
    /// Words to search for; nil for a list without a search. Text without a word finds nothing.
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
    /// Best match first; without words, the same as ``recency``.
    case relevance
    /// Latest first.
    case recency
    /// Most engagement first: likes, comments counted twice, shares three times, as trending weights them.
    case popularity
}
