// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Timelines.
public struct TimelinesAPI: Sendable {
    let client: GraphdClient

    /// Get the caller's home timeline, newest first.
    ///
    /// The posts that the caller may see and that are by the caller or a user whom the caller follows, are reshared
    /// by one of these, are in a topic that the caller follows, or are in a joined community that is not switched
    /// off. Each post appears once, at its own time, or at the time of the earliest such reshare if nothing else
    /// brings it. Every page equals the answer of a plain SQL query over the graph at that cursor, at any depth,
    /// whether or not Redis is up.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - explain: Whether each item has its reasons.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func home(
        limit: Int? = nil, cursor: String? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, explain: Bool? = nil
    ) async throws -> FeedPage {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "home"],
                query: [
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                    .init("category", category?.queryText), .init("algorithms", algorithms?.queryText),
                    .init("explain", explain?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `home`, read page by page as a loop asks for them.
    public func homeItems(
        pageSize: Int? = nil, category: String? = nil, algorithms: String? = nil, attributes: [String: String]? = nil,
        explain: Bool? = nil
    ) -> PagedSequence<FeedItem> {
        PagedSequence {
            let page = try await self.home(
                limit: pageSize, cursor: $0, category: category, algorithms: algorithms, attributes: attributes,
                explain: explain)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Explain why a post is, or is not, in the caller's home timeline.
    ///
    /// Answers for every post that the caller may see; any other post is answered with 404, like `GET
    /// /v1/posts/{id}`.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func explain(
        postId: String, category: String? = nil, algorithms: String? = nil, attributes: [String: String]? = nil
    ) async throws -> Verdict {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "home", "why", postId],
                query: [.init("category", category?.queryText), .init("algorithms", algorithms?.queryText)]
                    + .attributes(attributes)))
    }

    /// Get all public posts, newest first.
    ///
    /// Business accounts may give the algorithm `Business Trends` (letter case is ignored). The posts are then
    /// ordered by trend, each with its `businessData`; only posts with a rating are listed, and cursors are those
    /// of a ranking (see `/v1/timelines/trending`). Other tags in the same list act as a filter.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - explain: Whether each item has its reasons.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notBusiness`, `cursorExpired`.
    public func publicPosts(
        limit: Int? = nil, cursor: String? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, explain: Bool? = nil
    ) async throws -> PublicPage {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "public"],
                query: [
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                    .init("category", category?.queryText), .init("algorithms", algorithms?.queryText),
                    .init("explain", explain?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `publicPosts`, read page by page as a loop asks for them.
    public func publicPostsItems(
        pageSize: Int? = nil, category: String? = nil, algorithms: String? = nil, attributes: [String: String]? = nil,
        explain: Bool? = nil
    ) -> PagedSequence<FeedItem> {
        PagedSequence {
            let page = try await self.publicPosts(
                limit: pageSize, cursor: $0, category: category, algorithms: algorithms, attributes: attributes,
                explain: explain)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get trending public posts.
    ///
    /// A like counts 1, a comment 2 and a share 3, once for each user, post and kind, at the time of the first act
    /// that still stands. The value halves with every quarter of the window. A cursor refers to the ranking of the
    /// first page, so nothing repeats or is skipped while ranks change. It is valid for at least 15 minutes; then
    /// the answer is 410.
    ///
    /// - Parameters:
    ///   - window: The period in which engagement counts.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - explain: Whether each item has its reasons.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `cursorExpired`.
    public func trending(
        window: TrendingWindow? = nil, limit: Int? = nil, cursor: String? = nil, category: String? = nil,
        algorithms: String? = nil, attributes: [String: String]? = nil, explain: Bool? = nil
    ) async throws -> RankedPage {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "trending"],
                query: [
                    .init("window", window?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText), .init("category", category?.queryText),
                    .init("algorithms", algorithms?.queryText), .init("explain", explain?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `trending`, read page by page as a loop asks for them.
    public func trendingItems(
        window: TrendingWindow? = nil, pageSize: Int? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, explain: Bool? = nil
    ) -> PagedSequence<FeedItem> {
        PagedSequence {
            let page = try await self.trending(
                window: window, limit: pageSize, cursor: $0, category: category, algorithms: algorithms,
                attributes: attributes, explain: explain)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get trending tags and categories, for business accounts.
    ///
    /// `trendRating` is the share of the engagement of the last two periods that falls into the later one, from 0
    /// to 1, where 0.5 is steady. The confidence interval covers 95 %. Both are null below 20 engagements, and if
    /// these come from few posts. A topic that has existed for less than two periods is rated by what was observed
    /// of them, with every share equally likely beforehand: a topic that began in the later period has 0.5 and `95%
    /// CI: [0.02, 0.98]`. Only public posts are counted. Topics are ordered by the lower bound of the interval,
    /// highest first; those without a rating come last.
    ///
    /// - Parameters:
    ///   - window: The length of each of the two periods.
    ///   - kind: Return only categories, or only tags.
    ///   - limit: The maximum number of items.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notBusiness`.
    public func trends(window: TrendWindow? = nil, kind: TrendKind? = nil, limit: Int? = nil) async throws -> TrendList
    {
        try await client.value(
            Call(
                .get, ["v1", "trends"],
                query: [
                    .init("window", window?.queryText), .init("kind", kind?.queryText),
                    .init("limit", limit?.queryText),
                ]))
    }

    /// Get posts by a user, newest first.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `userNotFound`.
    public func user(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> PostPage {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "users", userId],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `user`, read page by page as a loop asks for them.
    public func userItems(userId: String, pageSize: Int? = nil) -> PagedSequence<Post> {
        PagedSequence {
            let page = try await self.user(userId: userId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Get posts of a community, newest first.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - explain: Whether each item has its reasons.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `communityNotFound`.
    public func community(
        communityId: String, limit: Int? = nil, cursor: String? = nil, category: String? = nil,
        algorithms: String? = nil, attributes: [String: String]? = nil, explain: Bool? = nil
    ) async throws -> CommunityFeedPage {
        try await client.value(
            Call(
                .get, ["v1", "communities", communityId, "timeline"],
                query: [
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                    .init("category", category?.queryText), .init("algorithms", algorithms?.queryText),
                    .init("explain", explain?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `community`, read page by page as a loop asks for them.
    public func communityItems(
        communityId: String, pageSize: Int? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, explain: Bool? = nil
    ) -> PagedSequence<FeedItem> {
        PagedSequence {
            let page = try await self.community(
                communityId: communityId, limit: pageSize, cursor: $0, category: category, algorithms: algorithms,
                attributes: attributes, explain: explain)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List all algorithms that curate feeds.
    public func algorithms() async throws -> AlgorithmList {
        try await client.value(Call(.get, ["v1", "algorithms"]))
    }

    /// Stream new home items and notifications.
    ///
    /// Server-sent events. `home` is a new item; its data is the post. `notification` is one event, as in the list
    /// of notifications, with `actor` instead of `actors`. The `id` of both is a position in the change log.
    /// `reset` means that missed events are no longer kept, or that `Last-Event-ID` is not a position in this log:
    /// read the timeline again; the stream continues with new events. `end` means that the server closes the
    /// stream; its data has the `reason` `too_slow`, `too_many_streams`, `token_invalid` (expired or revoked) or
    /// `server_stopping`. Other events have no `id`. With `Last-Event-ID`, missed events are sent first, each once.
    /// If there is nothing else to send, a comment is sent from time to time.
    ///
    /// - Parameter lastEventID: The `id` of the last event received. Without it, the stream begins now.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidHeader`.
    public func homeStream(lastEventID: String? = nil) -> EventStream {
        client.events(Call(.get, ["v1", "stream"], lastEventId: lastEventID))
    }

    /// Get recommended posts.
    ///
    /// Ordered by descending score, which rises with posts that other users liked, saved, shared, commented or
    /// watched along with those of the caller's recent activity, with authors whom the caller follows, preferences,
    /// popularity and novelty. Posts are left out that the caller has written, liked, saved or reshared, has
    /// watched to the end or by half (without a `duration`: 30 seconds), or may not see. The caller's own actions
    /// count from the next first page on, those of other users within 5 seconds. A cursor refers to the list of the
    /// first page, without posts hidden or seen since. It is valid for at least 15 minutes, unless the caller
    /// begins several other lists; then the answer is 410. A list has up to 300 posts.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    ///   - category: Only posts of this category; letter case is ignored.
    ///   - algorithms: Only posts with at least one of these algorithm tags, ignoring letter case: up to 50 tags,
    ///     separated by commas, or `selected` for the caller's current `selectedAlgorithms`; if these are empty, no
    ///     post matches.
    ///   - attributes: Each as `attributes.<name>=<value>`: only posts with that attribute. For a text or a list
    ///     entry, the value, ignoring letter case; for a number `20`, `10..20`, `..20` or `10..`; for a flag `true`
    ///     or `false`. All conditions must hold; at most 20 are allowed.
    ///   - explain: Whether each item has its reasons.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `cursorExpired`.
    public func forYou(
        limit: Int? = nil, cursor: String? = nil, category: String? = nil, algorithms: String? = nil,
        attributes: [String: String]? = nil, explain: Bool? = nil
    ) async throws -> RecommendedPage {
        try await client.value(
            Call(
                .get, ["v1", "timelines", "for-you"],
                query: [
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                    .init("category", category?.queryText), .init("algorithms", algorithms?.queryText),
                    .init("explain", explain?.queryText),
                ] + .attributes(attributes)))
    }

    /// Every item of `forYou`, read page by page as a loop asks for them.
    public func forYouItems(
        pageSize: Int? = nil, category: String? = nil, algorithms: String? = nil, attributes: [String: String]? = nil,
        explain: Bool? = nil
    ) -> PagedSequence<RecommendedItem> {
        PagedSequence {
            let page = try await self.forYou(
                limit: pageSize, cursor: $0, category: category, algorithms: algorithms, attributes: attributes,
                explain: explain)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }
}
