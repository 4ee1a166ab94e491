import Discovery
import Push
import SocialGraph
import Timeline

/// What reminders are of; nil where there is nothing for the user.
package struct PushSuggestions: Sendable {
    package typealias Suggest = @Sendable (UserID) async throws -> PostID?

    /// "New routines for you".
    let routine: Suggest
    /// A discussion that is trending.
    let discussion: Suggest

    /// Of so many candidates the user may see one, or there is no reminder.
    private static let candidates = 50

    package init(routine: @escaping Suggest, discussion: @escaping Suggest) {
        self.routine = routine
        self.discussion = discussion
    }

    /// The newest public post that matches what the user prefers and that the user does not like already; without a
    /// match, what trends. And of what trends today the post with the most comments.
    package init(graph: GraphStore, timelines: Timelines, rankings: Rankings) {
        let trending: @Sendable () async throws -> [PostID] = {
            Array(try await rankings.current(.trending(.day)).posts.prefix(Self.candidates))
        }
        routine = { user in
            for candidates in [
                try await graph.pushEvents.newestMatches(of: user, limit: Self.candidates), try await trending(),
            ] {
                for item in try await timelines.lists.ranked(candidates, for: user) {
                    guard let post = item?.post, !post.authors.contains(user),
                        try await graph.likes.likeID(of: post.id, by: user) == nil
                    else { continue }
                    return post.id
                }
            }
            return nil
        }
        discussion = { user in
            let shown = try await timelines.lists.ranked(try await trending(), for: user).compactMap { $0?.post }
            let discussed = shown.filter { $0.counts.comments > 0 }
            return discussed.max { ($0.counts.comments, $0.id) < ($1.counts.comments, $1.id) }?.id
        }
    }
}
