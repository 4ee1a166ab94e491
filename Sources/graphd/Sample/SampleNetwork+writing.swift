import Algorithms
import Database
import Discovery
import Foundation
import Importing
import Saves
import SocialGraph

extension SampleNetwork {
    /// Number of posts between two rounds of reshares. People reshare what is new, so a home timeline mixes both.
    private static let postsInRound = 100

    /// Writes the network into an empty graph.
    ///
    /// - Parameter end: the time of the newest post, in milliseconds since 1970, with which all times move; nil: they
    ///   are those of the network.
    func write(into graph: GraphStore, endingAt end: Int64? = nil) async throws {
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
        try await Self.together(Array(zip(usernames.indices, ids))) { index, id in
            try await graph.accounts.changeProfile(of: id, profile(of: index))
        }
        let delay = end.flatMap { end in self.posts.last.map { end - $0.createdAt } } ?? 0
        let published = try await publish(into: graph, by: ids, movedBy: delay)
        let (users, posts) = (ids, published)
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

    /// Publishes the posts, and reshares those of each round before the next. Returns the ids of the posts.
    private func publish(into graph: GraphStore, by users: [UserID], movedBy delay: Int64) async throws -> [PostID] {
        var published: [PostID] = []
        var waiting = reshares[...]
        for part in posts.chunks(ofCount: Self.postsInRound) {
            published += try await graph.bulkPosts.publish(
                batch: part.map { post in
                    NewPost(
                        author: users[post.author], caption: post.caption, mediaURL: post.mediaURL,
                        category: post.category, algorithmTags: post.tags,
                        collaborators: post.collaborators.map { users[$0] }, attributes: post.attributes,
                        createdAt: post.createdAt + delay)
                })
            let ids = published
            let round = waiting.prefix { $0.post < ids.count }
            waiting = waiting.dropFirst(round.count)
            try await Self.together(round) { _ = try await graph.reshares.reshare(ids[$0.post], by: users[$0.person]) }
        }
        return published
    }

    /// Returns a person's display name, and the algorithms that the person has chosen: some of the own topic, and one
    /// of the next.
    private func profile(of person: Int) -> ProfileChange {
        let topics = SampleVocabulary.topics
        let (own, next) = (topics[person % topics.count], topics[(person + 1) % topics.count])
        var change = ProfileChange()
        change.displayName = usernames[person].split(separator: "_").map(\.capitalized).joined(separator: " ")
        change.algorithms = Array(own.tags.prefix(2) + next.tags.prefix(1))
        return change
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
