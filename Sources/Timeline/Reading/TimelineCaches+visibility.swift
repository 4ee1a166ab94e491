import SocialGraph

/// The visibility rule over what is cached.
extension TimelineCaches {
    func rule(for viewer: UserID) async throws -> VisibilityRule {
        VisibilityRule(context: try await self.viewer(viewer).context)
    }

    /// The place of a post in the reader's home timeline, were it visible; nil: no reason brings it there.
    func place(of post: PostFragment, _ rule: VisibilityRule) async throws -> FeedPosition? {
        if rule.reachesDirectly(post) { return FeedPosition(post.id) }
        return try await firstReshare(of: post.id, rule)?.position
    }

    /// The items of those `entries` whose posts are live and `isShown`, in their order.
    func items(of entries: [FeedEntry], where isShown: (PostFragment) -> Bool) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        return zip(entries, fragments).compactMap { entry, fragment in
            guard let fragment, isShown(fragment) else { return nil }
            return TimelineItem(post: fragment, position: entry.position)
        }
    }

    /// Those of `entries` that match `filter` and stand in the reader's home timeline where the entry says.
    func homeItems(
        of entries: [FeedEntry], _ rule: VisibilityRule, _ filter: FeedFilter
    ) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        var items: [TimelineItem] = []
        items.reserveCapacity(entries.count)
        for (entry, fragment) in zip(entries, fragments) {
            guard let fragment, filter.matches(fragment), rule.conceals(fragment) == nil else { continue }
            // A post that its own authors, topics or community bring stands at its own place, any other at a reshare.
            guard rule.reachesDirectly(fragment) != entry.isReshare else { continue }
            items.append(TimelineItem(post: fragment, position: entry.position))
        }
        return items.contains(where: \.isReshare) ? try await keepFirst(items, rule) : items
    }

    /// Leaves out reshares that are not the first of the post that counts for the reader.
    private func keepFirst(_ items: [TimelineItem], _ rule: VisibilityRule) async throws -> [TimelineItem] {
        let reshared = items.filter(\.isReshare).map(\.post.id)
        var lists = try await reshares(of: reshared).makeIterator()
        var kept: [TimelineItem] = []
        for item in items {
            guard item.isReshare, let list = lists.next() else {
                kept.append(item)
                continue
            }
            let first = try await firstReshare(of: item.post.id, in: list, rule)
            if first?.position == item.position { kept.append(item) }
        }
        return kept
    }
}

extension TimelineItem {
    fileprivate var isReshare: Bool { position != FeedPosition(post.id) }
}
