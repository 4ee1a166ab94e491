import Moderation
import Push
import SocialGraph
import Timeline

/// Reads the subjects of pushes in their present state, under the visibility rule.
struct PushSubjectReader: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// Returns the subject of a push; nil if it was withdrawn, or is hidden from `user`.
    ///
    /// - Parameters:
    ///   - id: the group of a notification. Other kinds are about `post`.
    func subject(_ kind: PushKind, _ id: Int64, post: PostID?, for user: UserID) async throws -> PushSubject? {
        if kind.isNotification { return try await group(id, of: user) }
        guard let post, try await timelines.lists.ranked([post], for: user)[0] != nil,
            let stored = try await graph.posts.posts([post]).first
        else { return nil }
        return .post(stored)
    }

    private func group(_ id: Int64, of user: UserID) async throws -> PushSubject? {
        guard let group = try await graph.pushEvents.notificationGroup(id, of: user),
            try await timelines.notifications.isShown(group, to: user)
        else { return nil }
        return .group(group, try await graph.notices.notice(of: group))
    }
}
