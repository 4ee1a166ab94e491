import Database
import SocialGraph
import Text

/// Posts that match words and a filter, in each order of a list. They are candidates: visibility is not checked here.
package struct SearchStore: Sendable {
    /// Number of most followed authors whose posts are searched for a prefix that many names share.
    static let authorsOfWord = 64
    /// Number of most followed people that a search for people ranks.
    static let searchedAccounts = 1_000

    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension SearchStore {
    /// Returns up to `limit` posts strictly below `bound`, newest first, and examines about `budget` rows.
    package func newestPosts(
        having words: SearchWords?, _ filter: PostFilter, below bound: PostID?, limit: Int,
        budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> PostSlice {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)) else { return .nothing }
            return try search.posts.newest(below: bound, limit: limit)
        }
    }

    /// Returns the best matches first, out of the newest `limit` found in `budget` rows; ties go to the newer post.
    package func bestPosts(
        having words: SearchWords, _ filter: PostFilter, limit: Int, budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> PostSlice {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)), let query = search.query
            else { return .nothing }
            let found = try search.posts.newest(below: nil, limit: limit)
            let ranks = try reader.text.ranks(of: found.posts.map(\.rawValue), for: query)
            return PostSlice(
                posts: found.posts.map { (ranks[$0.rawValue] ?? 0, $0) }.sorted { $0 > $1 }.map(\.1), end: found.end,
                examined: found.examined)
        }
    }

    /// Returns the most popular first (by people, not acts), out of the newest `limit` found in `budget` rows; ties go
    /// to the newer post. Nil if, without words, more posts match; see ``popularPosts(_:below:limit:)``.
    package func popularPosts(
        having words: SearchWords?, _ filter: PostFilter, limit: Int, budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> [PopularPost]? {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)) else { return [] }
            let found = try search.posts.newest(below: nil, limit: limit)
            if search.query == nil, found.end != nil { return nil }
            return try reader.first(
                of: found.posts.map { SQLQuery(Self.popularityQuery, [.post($0)]) }, PopularPost.init(row:)
            ).compactMap(\.self).sorted { $0 > $1 }
        }
    }

    /// Returns posts that match `filter`, most popular first, strictly below `cursor`, and examines `limit` posts.
    /// `next`: cursor to continue from; nil at the end. Meant for filters that many posts match.
    package func popularPosts(
        _ filter: PostFilter, below cursor: PopularPost?, limit: Int
    ) async throws -> (page: Page<PopularPost, PopularPost>, examined: Int) {
        try await database.read { reader in
            let posts = try Reader(reader).intersection(filter, words: nil, ScanBudget(SocialGraphLimits.examinedRows))
            let cursor = cursor ?? .beyondAll
            let looked = try reader.rows(
                Self.popularWalkQuery, [.integer(cursor.popularity), .post(cursor.post), .integer(Int64(limit))],
                PopularPost.init(row:))
            let met = Set(try posts.meeting(looked.map(\.post.rawValue)))
            let page = Page(
                items: looked.filter { met.contains($0.post.rawValue) },
                next: looked.count == limit ? looked.last : nil)
            return (page, looked.count + posts.budget.examined)
        }
    }

    /// Returns the `words` that occur in posts or in the names of people, as far as `limit` look-ups reach.
    package func knownWords(among words: [String], limit: Int) async throws -> KnownWords {
        try await database.read { try $0.text.known(among: words, in: [.posts, .names], limit: limit) }
    }

    static let popularityQuery = """
        SELECT likes_count + 2 * commenters_count + 3 * sharers_count, id FROM post WHERE id = ?1
        """
    static let popularWalkQuery = """
        SELECT likes_count + 2 * commenters_count + 3 * sharers_count, id FROM post
        WHERE deleted_at IS NULL AND likes_count + 2 * commenters_count + 3 * sharers_count <= ?1
            AND (likes_count + 2 * commenters_count + 3 * sharers_count < ?1 OR id < ?2)
        ORDER BY likes_count + 2 * commenters_count + 3 * sharers_count DESC, id DESC LIMIT ?3
        """
}

extension SearchStore.Reader {
    /// Runs a search; nil if there is no word to search for.
    fileprivate func search(
        _ words: SearchWords?, _ filter: PostFilter, _ budget: ScanBudget
    ) throws -> (posts: PostIntersection, query: TextQuery?)? {
        guard let words else { return (try intersection(filter, words: nil, budget), nil) }
        guard !words.words.isEmpty else { return nil }
        let query = try textQuery(words)
        return (try intersection(filter, words: query, budget), query)
    }

    /// Returns the query: each word may also match an author's name, and the last word may be a prefix.
    private func textQuery(_ words: SearchWords) throws -> TextQuery {
        let authors = max(SearchStore.authorsOfWord / words.words.count, 1)
        let terms = try words.words.enumerated().map { index, word in
            let isLast = index == words.words.count - 1
            return TextQuery.Term(
                word: word, isBeginning: isLast,
                authors: try users(named: word, isBeginning: isLast, limit: authors))
        }
        return TextQuery(.posts, terms)
    }
}

/// A post and the people who engaged with it: likes, comments counted twice, shares three times, as trending weights
/// them, without decay.
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
