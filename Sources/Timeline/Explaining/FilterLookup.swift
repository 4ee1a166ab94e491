import SocialGraph

/// Resolves the names in filters to ids.
package struct FilterLookup: Sendable {
    let caches: TimelineCaches

    /// Returns the filter with names resolved to ids. A category or tag that no post has ever had matches nothing.
    package func filter(
        category: String?, algorithms: [String]?, attributes: [AttributeCondition] = []
    ) async throws -> NamedFilter {
        var names: [TopicID: String] = [:]
        var chosen = FeedFilter.Category.any
        if let category {
            let topic = try await caches.topics(.category, named: [category])[0]
            chosen = topic.map { .topic($0) } ?? .unknown
            if let topic { names[topic] = category }
        }
        guard let algorithms else {
            return NamedFilter(filter: FeedFilter(category: chosen, attributes: attributes), names: names)
        }
        var topics: [TopicID] = []
        for (tag, topic) in zip(algorithms, try await caches.topics(.tag, named: algorithms)) {
            guard let topic, names[topic] == nil else { continue }
            topics.append(topic)
            names[topic] = tag
        }
        return NamedFilter(
            filter: FeedFilter(category: chosen, algorithms: topics, attributes: attributes), names: names)
    }

    /// Returns the folded names of the reader's currently selected algorithm tags.
    package func selectedAlgorithms(of viewer: UserID) async throws -> [String] {
        try await caches.rule(for: viewer).context.selectedAlgorithms
    }
}
