import SocialGraph

extension SampleNetwork {
    /// Writes the network into an empty graph.
    func write(into graph: GraphStore) async throws {
        var importer = FollowImporter(graph: graph)
        for part in Self.parts(of: follows, FollowImport.batch) {
            try await importer.write(part.map { (usernames[$0.follower], usernames[$0.followee]) })
        }
        var ids: [UserID] = []
        for username in usernames {
            guard let account = try await graph.account(username: username) else { throw GraphError.accountNotFound }
            ids.append(account.id)
        }
        for part in Self.parts(of: posts, PostImport.batch) {
            try await graph.publish(
                batch: part.map { post in
                    NewPost(
                        author: ids[post.author], caption: post.caption, mediaURL: post.mediaURL,
                        category: post.category,
                        algorithmTags: post.tags, collaborators: post.collaborators.map { ids[$0] },
                        createdAt: post.createdAt)
                })
        }
    }

    private static func parts<Element>(of elements: [Element], _ size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: elements.count, by: size).map { elements[$0..<min($0 + size, elements.count)] }
    }
}
