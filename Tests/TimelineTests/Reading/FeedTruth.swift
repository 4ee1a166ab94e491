@testable import SocialGraph
import Database

/// The right content of feeds, by plain statements. The graph's tests compare `homeByDefinition` with a model in
/// collections. The others are as plain.
struct FeedTruth {
    let graph: GraphStore

    /// A filter in the form of a request's parameters.
    struct Condition: Hashable, CustomStringConvertible {
        var category: String?
        var tags: [String]?

        var description: String { "category \(category ?? "any") tags \(tags?.joined(separator: ",") ?? "any")" }
    }

    func home(of viewer: UserID, _ condition: Condition = Condition()) async throws -> [FeedEntry] {
        try await matching(withoutMutedWords(graph.feeds.homeByDefinition(of: viewer), viewer), condition)
    }

    func everything(for viewer: UserID, _ condition: Condition) async throws -> [FeedEntry] {
        try await matching(
            select(
                """
                p.visibility = 'public'
                AND (c.id IS NOT NULL OR NOT EXISTS (
                    SELECT 1 FROM account pa WHERE pa.id = p.author_id AND pa.is_private = 1))
                AND (c.id IS NULL OR c.is_private = 0 AND p.members_only = 0 AND p.removed_at IS NULL)
                AND \(Self.heard)
                """, viewer), condition)
    }

    func community(_ id: CommunityID, for viewer: UserID, _ condition: Condition) async throws -> [FeedEntry] {
        try await matching(select("p.community_id = \(id.rawValue) AND \(Self.heard)", viewer), condition)
    }

    /// A condition for posts by an author who is neither suspended nor silenced.
    private static let heard = """
        EXISTS (SELECT 1 FROM author_post h JOIN account ha ON ha.id = h.author_id
            WHERE h.post_id = p.id AND ha.suspended_at IS NULL AND ha.silenced_at IS NULL)
        """

    private func select(_ what: String, _ viewer: UserID) async throws -> [FeedEntry] {
        let statement = """
            SELECT p.id FROM post p LEFT JOIN community c ON c.id = p.community_id
            WHERE \(what) AND \(FeedStore.visibleDefinition) ORDER BY p.id DESC
            """
        let time = graph.database.expiryTime
        let entries = try await graph.database.read { reader in
            try reader.rows(statement, [.user(viewer), .integer(0), .integer(time)]) {
                FeedEntry(PostID(rawValue: $0.integer(0)))
            }
        }
        return try await withoutMutedWords(entries, viewer)
    }

    /// Leaves out posts by others with a word that the viewer has muted. The words of histories are ASCII letters.
    private func withoutMutedWords(_ entries: [FeedEntry], _ viewer: UserID) async throws -> [FeedEntry] {
        let time = graph.database.expiryTime
        let words = try await graph.database.read { reader in
            try reader.rows(
                """
                SELECT word, is_whole FROM muted_word
                WHERE user_id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
                """, [.user(viewer), .integer(time)]
            ) { (text: $0.text(0).lowercased(), isWhole: $0.integer(1) != 0) }
        }
        if words.isEmpty { return entries }
        let hidden = try await graph.posts.posts(entries.map(\.post)).filter { post in
            let texts = ([post.title, post.caption, post.category].compactMap(\.self) + post.algorithmTags).map {
                $0.lowercased()
            }
            return !post.authors.contains(viewer)
                && words.contains { word in
                    texts.contains { text in
                        word.isWhole
                            ? text.split { !$0.isLetter }.contains { $0 == word.text } : text.contains(word.text)
                    }
                }
        }
        let ids = Set(hidden.map(\.id))
        return entries.filter { !ids.contains($0.post) }
    }

    private func matching(_ entries: [FeedEntry], _ condition: Condition) async throws -> [FeedEntry] {
        if condition == Condition() { return entries }
        let posts = Dictionary(
            uniqueKeysWithValues: try await graph.posts.posts(entries.map(\.post)).map { ($0.id, $0) })
        let tags = condition.tags.map { Set($0.map { $0.lowercased() }) }
        return entries.filter { entry in
            guard let post = posts[entry.post] else { return false }
            if let category = condition.category, post.category?.lowercased() != category.lowercased() { return false }
            guard let tags else { return true }
            return post.algorithmTags.contains { tags.contains($0.lowercased()) }
        }
    }
}
