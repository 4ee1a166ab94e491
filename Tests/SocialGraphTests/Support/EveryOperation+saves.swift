@testable import SocialGraph

extension EveryOperation {
    /// Saves and collections.
    static func save(on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID) async throws {
        let gone = try await graph.publish(NewPost(author: ann, caption: "c", mediaURL: "m")).id
        let collection = try await graph.createCollection(named: "later", by: bob).id
        for post in [post, gone] { try await graph.collect(post, in: collection, by: bob) }
        _ = try await graph.savedPost(post, by: bob)
        _ = try await graph.saves(by: bob, below: nil, limit: 5)
        _ = try await graph.collections(of: bob)
        _ = try await graph.collection(collection, of: bob)
        _ = try await graph.renameCollection(collection, to: "sooner", by: bob)
        try await graph.reorder(collection, first: [gone], by: bob)
        _ = try await graph.posts(in: collection, of: bob, above: nil, limit: 5)
        try await graph.deletePost(gone, by: ann)
        _ = try await graph.purgeLeftovers(of: gone, limit: 5)
        try await graph.uncollect(post, from: collection, by: bob)
        try await graph.deleteCollection(collection, by: bob)
        try await graph.unsave(post, by: bob)
    }
}
