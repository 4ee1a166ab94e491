import SocialGraph
import Timeline

/// Who may see a stored file: whoever may see what shows it, and its owner. Posts are judged by the rule of timelines.
package struct MediaAccess: Sendable {
    package let graph: GraphStore
    package let timelines: Timelines

    package init(graph: GraphStore, timelines: Timelines) {
        self.graph = graph
        self.timelines = timelines
    }

    private static let postsAtOnce = 100

    /// Whether a public post or a profile shows it, so that everybody may see it, also without an account.
    package func isPublic(_ media: Media) async throws -> Bool {
        if try await graph.media.isProfilePicture(media.id) { return true }
        return try await someUse(of: media) { try await timelines.posts.isPublic(anyOf: $0) }
    }

    package func isShown(_ media: Media, to viewer: UserID) async throws -> Bool {
        if media.owner == viewer { return true }
        return try await someUse(of: media) { try await timelines.posts.isShown(anyOf: $0, to: viewer) }
    }

    private func someUse(of media: Media, _ isOpen: ([PostID]) async throws -> Bool) async throws -> Bool {
        var cursor: PostID?
        repeat {
            let page = try await graph.media.posts(showing: media.id, below: cursor, limit: Self.postsAtOnce)
            if try await isOpen(page.items) { return true }
            cursor = page.next
        } while cursor != nil
        return false
    }
}
