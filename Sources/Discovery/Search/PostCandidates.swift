import SocialGraph

/// Posts in the order of a list, before anybody has asked who may see them.
enum PostCandidates {
    /// All of them, from here on.
    case listed([PostID])
    /// The most popular of many, looked for along the index of all posts.
    case popular(GraphStore, PostFilter, below: PopularPost? = nil, seen: Set<PostID> = [])

    /// The next ones, about `count` of them; empty at the end.
    mutating func next(_ count: Int) async throws -> [PostID] {
        switch self {
        case .listed(let posts):
            self = .listed(Array(posts.dropFirst(count)))
            return Array(posts.prefix(count))
        case .popular(let graph, let filter, var cursor, var seen):
            var found: [PostID] = []
            repeat {
                let page = try await graph.popularPosts(
                    filter, below: cursor, limit: max(count, DiscoveryLimits.candidatesAtOnce))
                // What got more or less since the last look may be met again.
                found += page.items.map(\.post).filter { seen.insert($0).inserted }
                guard let next = page.next else {
                    self = .listed([])
                    return found
                }
                cursor = next
            } while found.count < count
            self = .popular(graph, filter, below: cursor, seen: seen)
            return found
        }
    }
}
