import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import MediaFiles
import SocialGraph
import Timeline

/// Posts, and acts on them, in the social app's API.
struct SocialPostRoutes: Sendable {
    let services: ProductServices

    /// `POST /post/create` {userId, mediaUrl, caption, category?, link?, collaborators?} → 201 {postId, status}
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        let caption = try body.description("caption", maxLength: SocialGraphLimits.captionLength)
        let media = try body.url("mediaUrl")
        let category = try body.optionalText("category", maxLength: SocialGraphLimits.categoryLength)
        let link = try body.filledURL("link")
        let collaborators = try body.filledIDs("collaborators", maxCount: SocialGraphLimits.collaboratorsPerPost)
        let new = NewPost(
            author: caller, caption: caption, mediaURL: media, category: category,
            collaborators: collaborators.map(UserID.init(rawValue:)), link: link)
        return try await context.creating {
            try await services.posting.publish(new)
        } answer: { post in
            .json(.created) {
                $0.beginObject()
                $0.member("postId", id: post.id.rawValue)
                $0.statusMember()
                $0.endObject()
            }
        }
    }

    /// `GET /post/{id}` → the post
    @Sendable func post(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        let post = try await services.post(context.postID(), for: caller)
        return .json { $0.social(post: post, for: caller, services.urls) }
    }

    /// `DELETE /post/{id}` → {status}
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await services.posting.delete(context.postID(), by: context.requireCaller())
        return .json { $0.statusSuccess() }
    }

    /// `POST /post/{id}/like` {userId?} → {likeId, postId, userId, createdAt, likesCount}
    @Sendable func like(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller, _) = try await ask(request, context)
        try await services.visibility.require(post, for: caller)
        let counts = try await services.graph.likes.like(post, by: caller)
        guard let like = try await services.graph.likes.likeID(of: post, by: caller) else {
            throw GraphError.postNotFound
        }
        return .json {
            $0.social(act: "likeId", like, on: post, by: caller)
            $0.member("likesCount", counts.likes)
            $0.endObject()
        }
    }

    /// `DELETE /post/{id}/like` {userId?} → {status, likesCount}
    @Sendable func unlike(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller, _) = try await ask(request, context)
        let counts = try await services.visibility.unlike(post, by: caller, in: services.graph)
        return .json {
            $0.beginObject()
            $0.statusMember()
            $0.member("likesCount", counts.likes)
            $0.endObject()
        }
    }

    /// `POST /post/{id}/comment` {userId?, text} → 201 the comment
    @Sendable func comment(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var (post, caller, body) = try await ask(request, context)
        let text = try body.comment("text")
        let parent = try body.filledID("parentCommentId").map(CommentID.init(rawValue:))
        try await services.visibility.require(post, withReplyTo: parent, for: caller)
        return try await context.creating { [post, caller] in
            try await services.graph.comments.comment(on: post, by: caller, content: text, parent: parent)
        } answer: { comment in
            .json(.created) { $0.social(comment: comment) }
        }
    }

    /// `GET /post/{id}/comments?limit&cursor` → {comments, nextCursor}, the latest first
    @Sendable func comments(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "cursor")
        let page = try await services.timelines.conversations.comments(
            on: context.postID(), .everything, for: context.requireCaller(), below: ask.cursor, limit: ask.limit)
        return .json { json in
            json.social(page: "comments", page.items, next: page.next) { $0.social(comment: $1) }
        }
    }

    /// `POST /post/{id}/share` {userId?, platform?} → 201 {shareId, postId, userId, platform, createdAt}. Without a
    /// platform, or with "internal", it reshares the post to the caller's followers.
    @Sendable func share(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var (post, caller, body) = try await ask(request, context)
        let platform = try body.optionalText("platform", maxLength: SocialGraphLimits.platformLength)
        return try await context.creating(mayRepeat: ProductServices.isInternal(platform)) { [post, caller] in
            try await services.share(post, by: caller, platform: platform)
        } answer: { [post, caller] share in
            .json(.created) {
                $0.social(act: "shareId", share.id, on: post, by: caller)
                $0.member("platform", platform ?? ProductServices.internalPlatform)
                $0.endObject()
            }
        }
    }

    /// `POST /media` (multipart/form-data: file, thumbnail?) → 201 {mediaUrl, thumbnailUrl, status}
    @Sendable func upload(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try await context.creatingUpload {
            try await services.uploads.receive(
                request, context, owner: caller,
                form: UploadForm(file: "file", thumbnail: "thumbnail", ignoresOthers: true))
        } answer: { [services] upload in
            .json(.created) {
                $0.beginObject()
                $0.member("mediaUrl", services.urls.absolute(upload.file.path))
                $0.member("thumbnailUrl", upload.thumbnail.map { services.urls.absolute($0.path) })
                $0.statusMember()
                $0.endObject()
            }
        }
    }

    /// Returns the post, the caller, and the body, whose user id is the caller's.
    private func ask(
        _ request: Request, _ context: GraphRequestContext
    ) async throws -> (PostID, UserID, StrictObject) {
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        return (post, caller, body)
    }
}
