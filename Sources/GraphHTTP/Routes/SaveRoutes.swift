import GraphAPI
import GraphServices
import Hummingbird
import Saves
import SocialGraph
import Timeline

/// Saved posts, private to the user who saved them.
struct SaveRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/save` → {postId, savedAt}, with the original time if it was already saved
    @Sendable func save(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.require(post, for: caller)
        let save = try await graph.saves.save(post, by: caller)
        return .json { $0.save(save) }
    }

    /// `DELETE /v1/posts/{id}/save` → 204, also if it was not saved. Removes the post from the caller's collections.
    @Sendable func unsave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        // A save can be taken back even if its post has become invisible; without one, the answer does not reveal the
        // post.
        if try await !graph.saves.unsave(post, by: caller) { try await visibility.require(post, for: caller) }
        return .noContent
    }

    /// `GET /v1/me/saves` → {items: [a post, and savedAt], nextCursor}, the latest first
    @Sendable func saves(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let caller = try context.requireCaller()
        let page = try await timelines.saves.saves(of: caller, below: cursor, limit: limit)
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json { json in
            json.page(zip(page.items, details), next: page.next) { json, item in
                json.postMembers(item.0.post, item.1)
                json.member("savedAt", time: item.0.save.savedAt)
                json.endObject()
            }
        }
    }
}
