import Importing
import SocialGraph
import TestSupport

extension GraphFixture {
    /// Publishes many posts, in batches like those of an import. Within one transaction PostgreSQL would pass over an
    /// old version of the author's row for each earlier post.
    @discardableResult
    func publish(_ posts: [NewPost]) async throws -> [PostID] {
        var ids: [PostID] = []
        for start in stride(from: 0, to: posts.count, by: 250) {
            ids += try await graph.bulkPosts.publish(batch: Array(posts[start..<min(start + 250, posts.count)]))
        }
        return ids
    }
}
