import Algorithms
import Database
import Discovery
import Importing
import Saves
import SocialGraph

extension SampleNetwork {
    /// Writes the network into an empty graph.
    func write(into graph: GraphStore) async throws {
        var importer = FollowImporter(graph: graph)
        for part in follows.chunks(ofCount: FollowImport.batch) {
            try await importer.write(part.map { (usernames[$0.follower], usernames[$0.followee]) })
        }
        var ids: [UserID] = []
        for username in usernames {
            guard let account = try await graph.accounts.account(username: username) else {
                throw GraphError.accountNotFound
            }
            ids.append(account.id)
        }
        var published: [PostID] = []
        for part in posts.chunks(ofCount: PostImport.batch) {
            published += try await graph.bulkPosts.publish(
                batch: part.map { post in
                    NewPost(
                        author: ids[post.author], caption: post.caption, mediaURL: post.mediaURL,
                        category: post.category, algorithmTags: post.tags,
                        collaborators: post.collaborators.map { ids[$0] }, attributes: post.attributes,
                        createdAt: post.createdAt)
                })
        }
        let (users, posts) = (ids, published)
        try await Self.together(reshares) { _ = try await graph.reshares.reshare(posts[$0.post], by: users[$0.person]) }
        try await Self.together(likes) { _ = try await graph.likes.like(posts[$0.post], by: users[$0.person]) }
        try await Self.together(comments) {
            _ = try await graph.comments.comment(on: posts[$0.post], by: users[$0.person], content: $0.content)
        }
        // A third of the liked posts are saved.
        let kept = likes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        try await Self.together(kept) { _ = try await graph.saves.save(posts[$0.post], by: users[$0.person]) }
        let divided = zip(self.posts, published).filter { !$0.0.segments.isEmpty }
        try await Self.together(divided) { post, id in
            _ = try await graph.segments.replaceSegments(of: id, by: users[post.author], with: post.segments)
        }
        for community in communities {
            guard let owner = community.members.first else { continue }
            let id = try await graph.communities.createCommunity(
                name: community.name, description: community.description, by: users[owner]
            ).id
            try await Self.together(community.members.dropFirst()) {
                _ = try await graph.communities.joinCommunity(id, by: users[$0])
            }
            try await Self.together(community.topicFollowers) {
                try await graph.topics.followTopic(community.category, by: users[$0])
            }
        }
    }

    /// Performs many single acts at once, so that they share commits.
    private static func together<Element: Sendable>(
        _ elements: some Collection<Element>, _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        for part in elements.chunks(ofCount: SQLiteDatabase.commitGroupSize) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for element in part { group.addTask { try await body(element) } }
                try await group.waitForAll()
            }
        }
    }
}
