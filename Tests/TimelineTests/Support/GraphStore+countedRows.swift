@testable import SocialGraph
import Database

extension GraphStore {
    /// Likes, comments and shares of a post, row by row.
    func countedRows(of post: PostID) async throws -> EngagementCounts {
        try await database.read { reader in
            func count(_ query: String) throws -> Int64 {
                try reader.first(query, [.post(post)]) { $0.integer(0) } ?? 0
            }
            return EngagementCounts(
                likes: try count("SELECT COUNT(*) FROM post_like WHERE post_id = ?1"),
                comments: try count("SELECT COUNT(*) FROM comment WHERE post_id = ?1 AND deleted_at IS NULL"),
                shares: try count("SELECT COUNT(*) FROM reshare WHERE post_id = ?1")
                    + count("SELECT COUNT(*) FROM external_share WHERE post_id = ?1"))
        }
    }
}
