import SocialGraph

/// The visibility rule over cached data.
extension TimelineCaches {
    func rule(for viewer: UserID) async throws -> VisibilityRule {
        VisibilityRule(context: try await self.viewer(viewer).context)
    }

    /// The position of a visible post in the reader's home timeline; nil if no reason brings it there.
    func place(of post: PostFragment, _ rule: VisibilityRule) async throws -> FeedPosition? {
        if rule.reachesDirectly(post) { return FeedPosition(post.id) }
        return try await firstReshare(of: post.id, rule)?.position
    }

    /// Returns the items of those `entries` whose posts are live and `isShown`, in their order.
    func items(of entries: [FeedEntry], where isShown: (PostFragment) -> Bool) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        return zip(entries, fragments).compactMap { entry, fragment in
            guard let fragment, isShown(fragment) else { return nil }
            return TimelineItem(post: fragment, position: entry.position)
        }
    }

    /// Returns those of `entries` that match `filter` and stand at the entry's position in the reader's home timeline.
    func homeItems(
        of entries: [FeedEntry], _ rule: VisibilityRule, _ filter: FeedFilter
    ) async throws -> [TimelineItem] {
        let fragments = try await fragments(of: entries.map(\.post))
        var items: [TimelineItem] = []
        items.reserveCapacity(entries.count)
        for (entry, fragment) in zip(entries, fragments) {
            guard let fragment, filter.matches(fragment), rule.conceals(fragment) == nil else { continue }
            // A post that reaches the reader by author, topic or community stands at its own position, any other at a
            // reshare.
            guard rule.reachesDirectly(fragment) != entry.isReshare else { continue }
            items.append(TimelineItem(post: fragment, position: entry.position))
        }
        return items.contains(where: \.isReshare) ? try await keepFirst(items, rule) : items
    }

    /// Leaves out reshares other than the first of the post that counts for the reader.
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
