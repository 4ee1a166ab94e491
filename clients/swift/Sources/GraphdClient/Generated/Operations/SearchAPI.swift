// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Search for posts, users and communities.
public struct SearchAPI: Sendable {
    let client: GraphdClient

    /// Search for posts.
    ///
    /// Finds posts that the caller may see, that have all words of `q` in their title, caption, tags, category,
    /// texts and lists among their attributes, or the names of their authors, and that meet every condition. The
    /// last word may be a prefix. Letter case and diacritics are ignored, and `q` has no operators. If nothing
    /// matches, words of at least four letters are searched with one letter changed; `corrected` then has these
    /// words, on the first page. Without `q`, the posts are only filtered.
    ///
    /// By relevance, a match in the title counts more than one in tags or category, and these more than one in the
    /// caption. By popularity, a like counts 1, a comment 2 and a share 3. Of more than 10,000 matching posts, only
    /// the newest are ranked. A cursor of these two orders refers to the ranking of the first page and its best
    /// 1,000 posts, so nothing repeats or is skipped. It is valid for 20 minutes; then the answer is 410.
    ///
    /// - Parameters:
    ///   - query: Words to search for.
    ///   - sort: The order. The default is relevance with `q`, otherwise newest first.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - duration: Filters by the attribute `duration`: under 10 minutes, from 10 to under 30, or at least 30.
    ///   - author: The id of the author or of an accepted collaborator.
    ///   - community: The id of the community of the posts.
    ///   - since: Posts created at this time or later.
    ///   - until: Posts created before this time.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `cursorExpired`.
    public func posts(
        query: String? = nil, sort: SearchSort? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, duration: DurationClass? = nil, author: String? = nil,
        community: String? = nil, since: Date? = nil, until: Date? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> SearchPage {
        try await client.value(
            Call(
                .get, ["v1", "search", "posts"],
                query: [
                    .init("q", query?.queryText), .init("sort", sort?.queryText),
                    .init("category", category?.queryText), .init("algorithms", algorithms?.queryText),
                    .init("duration", duration?.queryText), .init("author", author?.queryText),
                    .init("community", community?.queryText), .init("since", since?.queryText),
                    .init("until", until?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `posts`, read page by page as a loop asks for them.
    public func allPosts(
        query: String? = nil, sort: SearchSort? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, duration: DurationClass? = nil, author: String? = nil,
        community: String? = nil, since: Date? = nil, until: Date? = nil, pageSize: Int? = nil
    ) -> PagedSequence<FeedItem> {
        PagedSequence {
            let page = try await self.posts(
                query: query, sort: sort, category: category, algorithms: algorithms, attributes: attributes,
                duration: duration, author: author, community: community, since: since, until: until, limit: pageSize,
                cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Search for users by name and bio.
    ///
    /// The best `limit` users who have all words of `q` in username, display name or bio, ordered by relevance and
    /// followers. The last word may be a prefix. Users who have a block with the caller are not found.
    ///
    /// - Parameters:
    ///   - query: Words to search for.
    ///   - limit: The maximum number of items.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func users(query: String, limit: Int? = nil) async throws -> FoundUsers {
        try await client.value(
            Call(
                .get, ["v1", "search", "users"], query: [.init("q", query.queryText), .init("limit", limit?.queryText)])
        )
    }

    /// Search for communities by name, newest first.
    ///
    /// Communities with all words of `q` in their name; the last word may be a prefix. Private communities are
    /// found too; only their members see the content.
    ///
    /// - Parameters:
    ///   - query: Words to search for.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func communities(query: String, limit: Int? = nil, cursor: String? = nil) async throws -> CommunityPage {
        try await client.value(
            Call(
                .get, ["v1", "search", "communities"],
                query: [
                    .init("q", query.queryText), .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `communities`, read page by page as a loop asks for them.
    public func allCommunities(query: String, pageSize: Int? = nil) -> PagedSequence<Community> {
        PagedSequence {
            let page = try await self.communities(query: query, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get the embedding of a post, for its authors.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`,
    ///   `embeddingNotFound`.
    public func embedding(postId: String) async throws -> Embedding {
        try await client.value(Call(.get, ["v1", "posts", postId, "embedding"]))
    }

    /// Set the embedding of a post.
    ///
    /// For the author and accepted collaborators: an embedding of the post, computed by the app's own model. Only
    /// its direction is stored, not its length. All embeddings on a server have the same dimension, which its
    /// operator sets with `--embedding-dimension`; until then, none is stored.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `dimensionMismatch`,
    ///   `notAuthor`, `postNotFound`, `embeddingDimensionUnset`, `bodyTooLarge`, `tooMany`, `invalidValue`.
    public func putEmbedding(postId: String, _ body: NewEmbedding) async throws {
        try await client.perform(Call(.put, ["v1", "posts", postId, "embedding"], body: .json(body)))
    }

    /// Delete the embedding of a post.
    ///
    /// Idempotent.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`.
    public func deleteEmbedding(postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId, "embedding"]))
    }

    /// Search for similar public posts.
    ///
    /// Finds posts near `vector`, or near the embedding of the post `postId`, which itself is left out; exactly one
    /// of the two is required. `similarity` is the cosine of the angle, from -1 to 1. The nearest posts come first;
    /// ties are broken by recency. Posts without an embedding are not found. The filters are those of timelines. A
    /// page is full as long as there are matches. Each page is computed anew: the cursor is the position of the
    /// last post, and posts that get an embedding meanwhile appear at their position.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `dimensionMismatch`,
    ///   `invalidCursor`, `postNotFound`, `embeddingNotFound`, `bodyTooLarge`, `invalidValue`, `tooMany`,
    ///   `tooLong`.
    @discardableResult
    public func similar(_ body: SimilarQuestion) async throws -> SimilarPage {
        try await client.value(Call(.post, ["v1", "search", "similar"], body: .json(body)))
    }
}
