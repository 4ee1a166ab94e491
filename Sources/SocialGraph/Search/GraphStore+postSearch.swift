/// Posts that have words and meet a filter, in each of the orders that a list can have. Candidates: the visibility rule
/// has not been asked.
extension GraphStore {
    /// Up to `limit` strictly below `bound`, newest first.
    package func newestPosts(
        having words: SearchWords?, _ filter: PostFilter, below bound: PostID?, limit: Int
    ) async throws -> [PostID] {
        try await database.read { reader in
            guard let search = try Self.search(words, filter, reader) else { return [] }
            return try Self.newest(search.posts, below: bound, limit: limit)
        }
    }

    /// The best matches first, out of the newest `limit`; of equal ones the newer first.
    package func bestPosts(having words: SearchWords, _ filter: PostFilter, limit: Int) async throws -> [PostID] {
        try await database.read { reader in
            guard let search = try Self.search(words, filter, reader), let query = search.query else { return [] }
            let found = try Self.newest(search.posts, below: nil, limit: limit)
            let ranks = try reader.text.ranks(of: found.map(\.rawValue), for: query)
            return found.map { (ranks[$0.rawValue] ?? 0, $0) }.sorted { $0 > $1 }.map(\.1)
        }
    }

    /// The most popular first, out of the newest `limit`; of equal ones the newer first. Nil: without words, more than
    /// that match, see ``popularPosts(_:below:limit:)``.
    package func popularPosts(
        having words: SearchWords?, _ filter: PostFilter, limit: Int
    ) async throws -> [PopularPost]? {
        try await database.read { reader in
            guard let search = try Self.search(words, filter, reader) else { return [] }
            let found = try Self.newest(search.posts, below: nil, limit: limit)
            if search.query == nil, found.count == limit { return nil }
            return try found.compactMap { try reader.first(Self.popularityQuery, [.post($0)], PopularPost.init(row:)) }
                .sorted { $0 > $1 }
        }
    }

    /// Posts that meet `filter`, the most popular first, strictly below `cursor`, out of `limit` that are looked at.
    /// `next`: where to go on; nil at the end. For filters that many posts meet.
    package func popularPosts(
        _ filter: PostFilter, below cursor: PopularPost?, limit: Int
    ) async throws -> Page<PopularPost, PopularPost> {
        try await database.read { reader in
            let posts = try Self.intersection(filter, words: nil, reader)
            let cursor = cursor ?? .beyondAll
            let looked = try reader.rows(
                Self.popularWalkQuery, [.integer(cursor.popularity), .post(cursor.post), .integer(Int64(limit))],
                PopularPost.init(row:))
            return Page(
                items: try looked.filter { try posts.has($0.post.rawValue) },
                next: looked.count == limit ? looked.last : nil)
        }
    }

    /// Those of `words` that posts or the names of people have.
    package func knownWords(among words: [String]) async throws -> [String] {
        try await database.read { reader in
            try words.filter { try reader.text.has(word: $0) }
        }
    }

    static let popularityQuery = """
        SELECT likes_count + 2 * comments_count + 3 * shares_count, id FROM post WHERE id = ?1
        """
    static let popularWalkQuery = """
        SELECT likes_count + 2 * comments_count + 3 * shares_count, id FROM post
        WHERE deleted_at IS NULL AND likes_count + 2 * comments_count + 3 * shares_count <= ?1
            AND (likes_count + 2 * comments_count + 3 * shares_count < ?1 OR id < ?2)
        ORDER BY likes_count + 2 * comments_count + 3 * shares_count DESC, id DESC LIMIT ?3
        """

    /// Nil: there is not one word to search.
    private static func search(
        _ words: SearchWords?, _ filter: PostFilter, _ reader: any SQLReader
    ) throws -> (posts: PostIntersection, query: TextQuery?)? {
        guard let words else { return (try intersection(filter, words: nil, reader), nil) }
        guard !words.words.isEmpty else { return nil }
        let query = try textQuery(words, reader)
        return (try intersection(filter, words: query, reader), query)
    }

    private static func newest(
        _ posts: PostIntersection, below bound: PostID?, limit: Int
    ) throws -> [PostID] {
        var posts = posts
        var found: [PostID] = []
        var place = bound?.rawValue ?? .max
        while found.count < limit, let next = try posts.next(below: place) {
            found.append(PostID(rawValue: next))
            place = next
        }
        return found
    }

    /// Each word may also be one of the names of an author, and of the last one a beginning is enough.
    private static func textQuery(_ words: SearchWords, _ reader: any SQLReader) throws -> TextQuery {
        let authors = max(SocialGraphLimits.authorsOfWord / words.words.count, 1)
        let terms = try words.words.enumerated().map { index, word in
            let isLast = index == words.words.count - 1
            return TextQuery.Term(
                word: word, isBeginning: isLast,
                authors: try users(named: word, isBeginning: isLast, limit: authors, reader))
        }
        return TextQuery(.posts, terms)
    }
}

/// A post and what it got: likes, comments twice, shares three times, as trending weighs them, without decay.
package struct PopularPost: Sendable, Comparable {
    package let popularity: Int64
    package let post: PostID

    static let beyondAll = PopularPost(popularity: .max, post: PostID(rawValue: .max))

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.popularity, lhs.post) < (rhs.popularity, rhs.post)
    }
}

extension PopularPost {
    fileprivate init(row: any SQLRow) {
        popularity = row.integer(0)
        post = PostID(rawValue: row.integer(1))
    }
}
