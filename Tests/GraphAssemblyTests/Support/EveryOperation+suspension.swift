@testable import SocialGraph
import Database

extension EveryOperation {
    /// Suspends and reinstates a user, and reads about the user in between.
    static func suspend(_ graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID) async throws {
        for isSuspended in [true, false] {
            try await graph.database.write { transaction in
                try transaction.execute(
                    "UPDATE account SET suspended_at = ?2 WHERE id = ?1",
                    [.user(bob), isSuspended ? .integer(1) : .null])
                try AccountStore.Writer(transaction).suspensionChanged(bob)
            }
            try? await graph.blocksAndMutes.requireShown(bob)
            _ = try await graph.blocksAndMutes.shownAccount(bob, to: ann)
            _ = try await graph.blocksAndMutes.shownAccount(username: "bob", to: nil)
            _ = try await graph.posts.posts([post])
            _ = try await graph.feeds.windowEntries(of: ann, limit: 5)
            _ = try await graph.outbox.pendingWork(for: UserID(rawValue: 1), posts: [])
            _ = try await graph.audiences.audience(of: .rebuildFollowers(of: bob), past: .start, limit: 5)
        }
        // A group that is not read as a whole.
        try await graph.database.read { reader in
            let group = try reader.first(
                "SELECT id, latest_id FROM notification_group WHERE user_id = ?1", [.user(ann)]
            ) {
                StoredGroup(id: $0.integer(0), latest: $0.integer(1), actors: 1_000, isOpen: true)
            }
            if let group { _ = try NotificationStore.Reader(reader).group(group, of: ann) }
        }
    }
}
