import Database
import SocialGraph

/// Posts that have words and meet a filter, in each of the orders that a list can have. Candidates: the visibility rule
/// has not been asked.
package struct SearchStore: Sendable {
    /// Authors, the most followed, whose posts are looked for by a word that begins many names.
    static let authorsOfWord = 64
    /// People that a search for people ranks, the most followed.
    static let searchedAccounts = 1_000

    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension SearchStore {
    /// Up to `limit` strictly below `bound`, newest first, out of about `budget` rows that are examined.
    package func newestPosts(
        having words: SearchWords?, _ filter: PostFilter, below bound: PostID?, limit: Int,
        budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> PostRun {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)) else { return .nothing }
            return try search.posts.newest(below: bound, limit: limit)
        }
    }

    /// The best matches first, out of the newest `limit` that `budget` rows lead to; of equal ones the newer first.
    package func bestPosts(
        having words: SearchWords, _ filter: PostFilter, limit: Int, budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> PostRun {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)), let query = search.query
            else { return .nothing }
            let found = try search.posts.newest(below: nil, limit: limit)
            let ranks = try reader.text.ranks(of: found.posts.map(\.rawValue), for: query)
            return PostRun(
                posts: found.posts.map { (ranks[$0.rawValue] ?? 0, $0) }.sorted { $0 > $1 }.map(\.1), end: found.end,
                examined: found.examined)
        }
    }

    /// The most popular first (by people, not acts), out of the newest `limit` that `budget` rows lead to; of equal
    /// ones the newer first. Nil: without words, more than that match, see ``popularPosts(_:below:limit:)``.
    package func popularPosts(
        having words: SearchWords?, _ filter: PostFilter, limit: Int, budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> [PopularPost]? {
        try await database.read { reader in
            guard let search = try Reader(reader).search(words, filter, ScanBudget(budget)) else { return [] }
            let found = try search.posts.newest(below: nil, limit: limit)
            if search.query == nil, found.end != nil { return nil }
            return try found.posts.compactMap {
                try reader.first(Self.popularityQuery, [.post($0)], PopularPost.init(row:))
            }.sorted { $0 > $1 }
        }
    }

    /// Posts that meet `filter`, the most popular first, strictly below `cursor`, out of `limit` that are looked at.
    /// `next`: where to go on; nil at the end. For filters that many posts meet.
    package func popularPosts(
        _ filter: PostFilter, below cursor: PopularPost?, limit: Int
    ) async throws -> (page: Page<PopularPost, PopularPost>, examined: Int) {
        try await database.read { reader in
            let posts = try Reader(reader).intersection(filter, words: nil, ScanBudget(SocialGraphLimits.examinedRows))
            let cursor = cursor ?? .beyondAll
            let looked = try reader.rows(
                Self.popularWalkQuery, [.integer(cursor.popularity), .post(cursor.post), .integer(Int64(limit))],
                PopularPost.init(row:))
            let page = Page(
                items: try looked.filter { try posts.has($0.post.rawValue) },
                next: looked.count == limit ? looked.last : nil)
            return (page, looked.count + posts.budget.examined)
        }
    }

    /// Those of `words` that posts or the names of people have, as far as `limit` look-ups lead.
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
    /// Nil: there is not one word to search.
    fileprivate func search(
        _ words: SearchWords?, _ filter: PostFilter, _ budget: ScanBudget
    ) throws -> (posts: PostIntersection, query: TextQuery?)? {
        guard let words else { return (try intersection(filter, words: nil, budget), nil) }
        guard !words.words.isEmpty else { return nil }
        let query = try textQuery(words)
        return (try intersection(filter, words: query, budget), query)
    }

    /// Each word may also be one of the names of an author, and of the last one a beginning is enough.
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

/// A post and the people who engaged with it: who likes it, who comments twice, who shares three times, as trending
/// weighs them, without decay.
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
