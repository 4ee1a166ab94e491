import Database
import SocialGraph

/// Posts in the order of a list, before the visibility check.
enum PostCandidates {
    /// A complete list of the posts from here on.
    case listed([PostID])
    /// The most popular of many posts, read along the index of all posts.
    case popular(GraphStore, PostFilter, below: PopularPost? = nil, seen: Set<PostID> = [])

    /// Returns about `count` next posts and the number of rows examined for them, about `budget` at most. Empty at the
    /// end, and if the budget leads to no post.
    mutating func next(_ count: Int, budget: Int) async throws -> (posts: [PostID], examined: Int) {
        switch self {
        case .listed(let posts):
            self = .listed(Array(posts.dropFirst(count)))
            return (Array(posts.prefix(count)), 0)
        case .popular(let graph, let filter, var cursor, var seen):
            var found: [PostID] = []
            var examined = 0
            repeat {
                let (page, rows) = try await graph.search.popularPosts(
                    filter, below: cursor, limit: max(count, Ranking.candidatesAtOnce))
                examined += rows
                // A post whose popularity has changed since the last step may appear again.
                found += page.items.map(\.post).filter { seen.insert($0).inserted }
                guard let next = page.next else {
                    self = .listed([])
                    return (found, examined)
                }
                cursor = next
                try ClientPresence.check()
            } while found.count < count && examined < budget
            self = .popular(graph, filter, below: cursor, seen: seen)
            return (found, examined)
        }
    }
}
