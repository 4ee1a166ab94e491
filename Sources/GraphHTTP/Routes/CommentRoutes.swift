import Database
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Comments on posts, and replies to them.
struct CommentRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let visibility: PostVisibilityCheck

    /// `POST /v1/posts/{id}/comments` {content, parentCommentId?} → 201 with the comment
    @Sendable func comment(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let content = try body.string("content", maxLength: SocialGraphLimits.commentLength)
        let parent = try body.optionalID("parentCommentId").map(CommentID.init(rawValue:))
        try body.end()
        try await visibility.require(post, withReplyTo: parent, for: caller)
        let details = try await timelines.details.ofNewItem(by: caller)
        return try await context.creating {
            try await graph.comments.comment(on: post, by: caller, content: content, parent: parent)
        } answer: { comment in
            .json(.created, headers: [.location: "/v1/comments/\(comment.id.rawValue)"]) {
                $0.comment(comment, details)
            }
        }
    }

    /// `GET /v1/posts/{id}/comments`, the latest first: top-level comments; with `parentCommentId` the replies to that
    /// one; with `thread=all` all of them in one list
    @Sendable func comments(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let thread = try query.commentThread()
        try query.end()
        let caller = try context.requireCaller()
        let page = try await timelines.conversations.comments(
            on: context.postID(), thread, for: caller, below: cursor, limit: limit)
        let details = try await timelines.details.details(of: page.items, for: caller)
        return .json { json in json.page(zip(page.items, details), next: page.next) { $0.comment($1.0, $1.1) } }
    }

    /// `GET /v1/comments/{id}`
    @Sendable func show(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let comment = try await shown(context)
        let details = try await timelines.details.details(of: comment, for: context.requireCaller())
        return .json { $0.comment(comment, details) }
    }

    /// `PATCH /v1/comments/{id}` {content}, by its author → the comment
    @Sendable func edit(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let content = try body.string("content", maxLength: SocialGraphLimits.commentLength)
        try body.end()
        let before = try await shown(context)
        let comment = try await graph.comments.editComment(before.id, by: caller, content: content)
        let details = try await timelines.details.details(of: comment, for: caller)
        return .json { $0.comment(comment, details) }
    }

    /// `DELETE /v1/comments/{id}`, by its author or an author of the post → 204
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let id = try context.commentID()
        do {
            try await graph.comments.deleteComment(id, by: caller)
        } catch GraphError.notCommentAuthor {
            _ = try await shown(context)
            throw GraphError.notCommentAuthor
        }
        return .noContent
    }

    private func shown(_ context: GraphRequestContext) async throws -> PostComment {
        guard let comment = try await graph.comments.comment(context.commentID()),
            try await timelines.conversations.isShown(comment, to: context.requireCaller())
        else { throw GraphError.commentNotFound }
        return comment
    }
}

extension GraphRequestContext {
    func commentID() throws -> CommentID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw GraphError.commentNotFound
        }
        return CommentID(rawValue: id)
    }
}

extension QueryParameters {
    fileprivate mutating func commentThread() throws -> CommentThread {
        let (parent, thread) = (string("parentCommentId"), string("thread"))
        guard thread == nil || thread == "all" else {
            throw Problem(.invalidParameter, "\"thread\" must be \"all\".", field: "thread")
        }
        guard let parent else { return thread == nil ? .topLevel : .everything }
        guard thread == nil, let id = TextRules.parseID(parent) else {
            throw Problem(
                .invalidParameter,
                "\"parentCommentId\" must be the id of a comment, and cannot be used with \"thread\".",
                field: "parentCommentId")
        }
        return .replies(to: CommentID(rawValue: id))
    }
}
