import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

extension VideoRoutes {
    /// `POST /videos/{id}/like` {user id?} → {status, message, the updated count}
    @Sendable func like(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.postID(), try context.requireCaller())
        try await own(request, caller)
        _ = try await requireVideo(id, for: caller)
        return likes(try await services.graph.likes.like(id, by: caller), "The video is liked.")
    }

    /// `DELETE /videos/{id}/like` → {status, message, the updated count}. One of a video that has become invisible is
    /// taken back, too, and the answer is 404.
    @Sendable func unlike(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.postID(), try context.requireCaller())
        try await own(request, caller)
        guard Product.includes(try await services.storedPost(id).attributes) else { throw GraphError.postNotFound }
        let counts = try await services.visibility.unlike(id, by: caller, in: services.graph)
        return likes(counts, "The video is no longer liked.")
    }

    private func likes(_ counts: EngagementCounts, _ message: String) -> Response {
        .json { json in
            json.beginObject()
            json.member("status", "success")
            json.member("message", message)
            json.member(escaping: Product.likesField, counts.likes)
            json.endObject()
        }
    }

    private func own(_ request: Request, _ caller: UserID) async throws {
        var body = try await request.lenientObject()
        try body.requireOwn(Product.userIDField, caller)
    }

    /// `POST /videos/{id}/comment` and `POST /videos/{id}/comments` {user id?, text} → 201 the comment
    @Sendable func comment(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn(Product.userIDField, caller)
        let text = try body.comment("text")
        _ = try await requireVideo(id, for: caller)
        return try await context.creating {
            try await services.graph.comments.comment(on: id, by: caller, content: text)
        } answer: { comment in
            .json(.created) { Product.write(comment, to: &$0) }
        }
    }

    /// `GET /videos/{id}/comments?limit&startAfter` → a JSON array of comments, the oldest first
    @Sendable func comments(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.postID(), try context.requireCaller())
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "startAfter", defaultLimit: VideoQuestion.defaultLimit)
        _ = try await requireVideo(id, for: caller)
        let page = try await services.timelines.conversations.firstComments(
            on: id, for: caller, above: ask.cursor, limit: ask.limit)
        var response = Response.json { json in
            json.beginArray()
            for comment in page.items { Product.write(comment, to: &json) }
            json.endArray()
        }
        if let next = page.next { response.headers[.nextCursor] = String(next) }
        return response
    }
}
