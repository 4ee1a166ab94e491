import Database
import Saves

@testable import SocialGraph

extension EveryOperation {
    /// The queries for the details of items.
    static func details(on graph: GraphStore, _ posts: [PostID], _ users: [UserID]) async throws {
        let (authors, items) = (users.map(SQLValue.user), posts.map(SQLValue.post))
        let viewer: [SQLValue] = [.user(users[0])]
        _ = try await graph.database.read { reader in
            try reader.exist(
                AccountStore.authorProfiles.queries(authors) + LikeStore.likedAmong.queries(items, after: viewer)
                    + SaveStore.Reader.savedAmong.queries(items, after: viewer)
                    + ReshareStore.Reader.resharedAmong.queries(items, after: viewer))
        }
    }
}
