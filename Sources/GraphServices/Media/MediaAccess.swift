import Moderation
import SocialGraph
import Timeline

/// Decides who may see a stored file: its owner, everybody who may see a post or profile that shows it, and moderators
/// while such a post is held or reported to them. Posts follow the visibility rule of timelines.
package struct MediaAccess: Sendable {
    package let graph: GraphStore
    package let timelines: Timelines

    package init(graph: GraphStore, timelines: Timelines) {
        self.graph = graph
        self.timelines = timelines
    }

    private static let postsAtOnce = 100

    /// Returns true if a public post or a profile shows the file. Then everybody may see it, even without an account.
    package func isPublic(_ media: Media) async throws -> Bool {
        if try await graph.media.isProfilePicture(media.id) { return true }
        return try await someUse(of: media) { try await timelines.posts.isPublic(anyOf: $0) }
    }

    /// Returns whether `viewer` may see the file: because everybody may, or ``isShown(_:to:)``.
    package func isVisible(_ media: Media, to viewer: UserID) async throws -> Bool {
        if try await isPublic(media) { return true }
        return try await isShown(media, to: viewer)
    }

    package func isShown(_ media: Media, to viewer: UserID) async throws -> Bool {
        if media.owner == viewer { return true }
        if try await someUse(of: media, { try await timelines.posts.isShown(anyOf: $0, to: viewer) }) { return true }
        let authority = try await graph.moderation.authority(of: viewer)
        guard authority.isModerating else { return false }
        return try await someUse(of: media) { try await graph.reports.areHandled(anyOf: $0, by: authority) }
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
