import SocialGraph

/// The visibility rule over what is cached.
extension TimelineCaches {
    func rule(for viewer: UserID) async throws -> VisibilityRule {
        VisibilityRule(context: try await self.viewer(viewer).context)
    }

    /// Where a post stands in the reader's home timeline, if it were visible; nil: no reason brings it there.
    func place(of post: PostFragment, _ rule: VisibilityRule) async throws -> FeedPosition? {
        if rule.reachesDirectly(post) { return FeedPosition(post.id) }
        return try await firstReshare(of: post.id, rule)?.position
    }

    /// Of `entries`, the items of those whose posts are live and `isShown`, in their order.
    func items(of entries: [FeedEntry], where isShown: (PostFragment) -> Bool) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        return zip(entries, fragments).compactMap { entry, fragment in
            guard let fragment, isShown(fragment) else { return nil }
            return TimelineItem(post: fragment, position: entry.position)
        }
    }

    /// Of `entries`, those that match `filter` and stand in the reader's home timeline where the entry says.
    func homeItems(
        of entries: [FeedEntry], _ rule: VisibilityRule, _ filter: FeedFilter
    ) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        var items: [TimelineItem] = []
        items.reserveCapacity(entries.count)
        for (entry, fragment) in zip(entries, fragments) {
            guard let fragment, filter.matches(fragment), rule.conceals(fragment) == nil else { continue }
            guard try await place(of: fragment, rule) == entry.position else { continue }
            items.append(TimelineItem(post: fragment, position: entry.position))
        }
        return items
    }
}
