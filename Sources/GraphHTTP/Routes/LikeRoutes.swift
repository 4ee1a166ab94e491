import GraphAPI
import GraphServices
import Hummingbird
import Saves
import SocialGraph
import Timeline

/// Likes, and shares on other platforms.
struct LikeRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/like` → {likesCount, commentsCount, sharesCount}, also if the post is already liked
    @Sendable func like(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.require(post, for: caller)
        let counts = try await graph.likes.like(post, by: caller)
        return .json { $0.counts(counts) }
    }

    /// `DELETE /v1/posts/{id}/like` → the counts, also if there was no like. One of a post that has become invisible
    /// is taken back, too, and the answer is 404.
    @Sendable func unlike(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        let counts = try await visibility.unlike(post, by: caller, in: graph)
        return .json { $0.counts(counts) }
    }

    /// `GET /v1/posts/{id}/likes`: the users who like it, the latest first
    @Sendable func likes(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.require(post, for: caller)
        let page = try await graph.likes.likes(of: post, for: caller, below: cursor, limit: limit)
        let cards = try await timelines.details.cards(of: page.items.map(\.user), for: caller)
        return .json { $0.people(cards, next: page.next) }
    }

    /// `GET /v1/me/likes`: the posts that the caller likes and may see, the latest first
    @Sendable func ownLikes(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await visibility.timelines.saves.likes(
            of: context.requireCaller(), below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.ownLike($1) } }
    }

    /// `POST /v1/posts/{id}/shares` {platform}: shared elsewhere → 201 {shareId, postId, userId, platform, createdAt,
    /// sharesCount}. Passing a post on to followers here is a reshare.
    @Sendable func shareExternally(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let platform = try body.title("platform", maxLength: SocialGraphLimits.platformLength)
        try body.end()
        try await visibility.require(post, for: caller)
        return try await context.creating {
            try await graph.engagement.shareExternally(post, by: caller, platform: platform)
        } answer: { share in
            .json(.created) {
                $0.externalShare(
                    ExternalShare(id: share.id, post: post, platform: platform), by: caller,
                    sharesCount: share.counts.shares)
            }
        }
    }
}
