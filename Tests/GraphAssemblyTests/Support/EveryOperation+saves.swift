import Saves

@testable import SocialGraph

extension EveryOperation {
    /// Saves and collections.
    static func save(on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID) async throws {
        let gone = try await graph.posts.publish(NewPost(author: ann, caption: "c", mediaURL: "m")).id
        let collection = try await graph.collections.createCollection(named: "later", by: bob).id
        for post in [post, gone] { try await graph.collections.collect(post, in: collection, by: bob) }
        _ = try await graph.saves.savedPost(post, by: bob)
        _ = try await graph.saves.saves(by: bob, below: nil, limit: 5)
        _ = try await graph.collections.collections(of: bob)
        _ = try await graph.collections.collection(collection, of: bob)
        _ = try await graph.collections.renameCollection(collection, to: "sooner", by: bob)
        try await graph.collections.reorder(collection, first: [gone], by: bob)
        _ = try await graph.collections.posts(in: collection, of: bob, above: nil, limit: 5)
        try await graph.posts.deletePost(gone, by: ann)
        _ = try await graph.posts.purgeLeftovers(of: gone, limit: 5)
        try await graph.collections.uncollect(post, from: collection, by: bob)
        try await graph.collections.deleteCollection(collection, by: bob)
        try await graph.saves.unsave(post, by: bob)
    }
}
