import Discovery
import Push
import SocialGraph
import Timeline

/// The posts that reminders suggest; nil if there is nothing for the user.
package struct PushSuggestions: Sendable {
    package typealias Suggest = @Sendable (UserID) async throws -> PostID?

    /// "New routines for you".
    let routine: Suggest
    /// A discussion that is trending.
    let discussion: Suggest

    /// Number of candidates. If the user may see none of them, there is no reminder.
    private static let candidates = 50

    package init(routine: @escaping Suggest, discussion: @escaping Suggest) {
        self.routine = routine
        self.discussion = discussion
    }

    /// Suggests as a routine the newest public post that matches the user's preferences and that the user has not
    /// liked; without a match, a trending post. Suggests as a discussion the post with the most comments among today's
    /// trends.
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
