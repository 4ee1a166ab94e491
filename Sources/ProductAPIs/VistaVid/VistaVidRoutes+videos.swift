import Database
import Discovery
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import MediaFiles
import SocialGraph
import Timeline

extension VistaVidRoutes {
    /// `GET /videos?limit&lastVisible&algorithmFilter` → {videos, lastVisible}: everybody's public videos, the latest
    /// first; with "Business Trends" among the filters, by trend
    @Sendable func videos(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        var names = try query.names("algorithmFilter")
        let isByTrend = services.trends.takeName(from: &names)
        if isByTrend {
            let (limit, text) = (try ProductPage.limit(&query), query.string("lastVisible") ?? "")
            let cursor = RankingCursor(text)
            guard cursor != nil || text.isEmpty else { throw ProductPage.invalidCursor("lastVisible") }
            let filter = try await services.timelines.filters.filter(category: nil, algorithms: names).filter
            guard
                let ranked = try await services.trends.page(
                    for: caller, cursor: cursor, limit: limit, filter: filter)
            else { throw ProductPage.invalidCursor("lastVisible") }
            return try await answer(ranked.items, next: ranked.next?.text, caller)
        }
        let page = try ProductPage(&query, cursor: "lastVisible")
        let filter = try await services.timelines.filters.filter(category: nil, algorithms: names).filter
        let found = try await services.timelines.feeds.everything(
            for: caller, below: page.cursor.map(FeedPosition.init(rawValue:)), limit: page.limit, filter: filter)
        return try await answer(found, caller)
    }

    func answer(_ page: TimelinePage, _ caller: UserID) async throws -> Response {
        try await answer(page.items, next: page.next.map { String($0.rawValue) }, caller)
    }

    private func answer(_ items: [TimelineItem], next: String?, _ caller: UserID) async throws -> Response {
        let posts = try await services.posts(items)
        let trends = try await services.trends.figures(of: posts.map(\.id), for: caller)
        return .json(reservingCapacity: 512 * (posts.count + 1)) { json in
            json.beginObject()
            json.key("videos")
            json.beginArray()
            for post in posts { json.vistaVid(video: post, services.urls, businessData: trends[post.id]) }
            json.endArray()
            json.member("lastVisible", next)
            json.endObject()
        }
    }

    /// `GET /video/{id}` → the video
    @Sendable func video(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        let post = try await services.post(context.postID(), for: caller)
        let trends = try await services.trends.figures(of: [post.id], for: caller)
        return .json { $0.vistaVid(video: post, services.urls, businessData: trends[post.id]) }
    }

    /// `POST /video/upload` (multipart/form-data: videoFile, thumbnail?, description, algorithmTags?) → 201 {success,
    /// videoId}. `algorithmTags`, also with brackets (`[]`, `[0]`), is repeated parts, or one with a JSON array or
    /// a comma-separated list.
    @Sendable func upload(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        let form = UploadForm(
            file: "videoFile", thumbnail: "thumbnail", texts: ["description", "userId"], lists: ["algorithmTags"],
            ignoresOthers: true)
        let upload = try await services.uploads.receive(request, context, owner: caller, form: form) {
            _ = try VideoForm($0, caller)
        }
        let video = try VideoForm(upload.fields, caller)
        let post = NewPost(
            author: caller, caption: video.description, mediaURL: upload.file.path, algorithmTags: video.tags)
        return try await context.creating {
            try await services.posting.publish(post, of: upload)
        } answer: { published in
            .json(.created) { json in
                json.success {
                    $0.member("videoId", id: published.id.rawValue)
                }
            }
        }
    }

    /// `POST /video/{id}/like` {userId} → {success, likesCount}
    @Sendable func like(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        try await services.visibility.require(post, for: caller)
        return likes(try await services.graph.likes.like(post, by: caller))
    }

    /// `DELETE /video/{id}/like` {userId?} → {success, likesCount}
    @Sendable func unlike(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        return likes(try await services.visibility.unlike(post, by: caller, in: services.graph))
    }

    private func likes(_ counts: EngagementCounts) -> Response {
        .json { json in
            json.success {
                $0.member("likesCount", counts.likes)
            }
        }
    }

    /// `POST /video/{id}/comment` {userId, content, parentCommentId?} → 201 {success, commentId}
    @Sendable func comment(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        let content = try body.comment("content")
        let parent = try body.filledID("parentCommentId").map(CommentID.init(rawValue:))
        try await services.visibility.require(post, withReplyTo: parent, for: caller)
        return try await context.creating {
            try await services.graph.comments.comment(on: post, by: caller, content: content, parent: parent)
        } answer: { comment in
            .json(.created) { json in
                json.success {
                    $0.member("commentId", id: comment.id.rawValue)
                }
            }
        }
    }

    /// `GET /video/{id}/comments?limit&lastVisible` → {comments, lastVisible}: including replies, the latest first
    @Sendable func comments(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "lastVisible")
        let page = try await services.timelines.conversations.comments(
            on: context.postID(), .everything, for: context.requireCaller(), below: ask.cursor, limit: ask.limit)
        return .json { json in
            json.beginObject()
            json.key("comments")
            json.beginArray()
            for comment in page.items { json.vistaVid(comment: comment) }
            json.endArray()
            json.key("lastVisible")
            if let next = page.next { json.id(next) } else { json.null() }
            json.endObject()
        }
    }

    /// `POST /video/{id}/share` {userId, platform?} → {success, sharesCount}. Without a platform, or with "internal",
    /// it reshares the video to the caller's followers.
    @Sendable func share(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        let platform = try body.optionalText("platform", maxLength: SocialGraphLimits.platformLength)
        return try await context.creating(mayRepeat: ProductServices.isInternal(platform)) {
            try await services.share(post, by: caller, platform: platform)
        } answer: { share in
            .json { json in
                json.success {
                    $0.member("sharesCount", share.counts.shares)
                }
            }
        }
    }
}

/// The text parts of an upload.
private struct VideoForm {
    let description: String
    let tags: [String]

    init(_ fields: [String: [String]], _ caller: UserID) throws {
        if let own = fields["userId"]?.first, !own.isEmpty, TextRules.parseID(own) != caller.rawValue {
            throw Problem(.forbidden, "\"userId\" must be your own user id.", field: "userId")
        }
        guard let text = fields["description"]?.first else {
            throw Problem(.missingField, "The part \"description\" is required.", field: "description")
        }
        description =
            text.isEmpty
            ? text
            : try TextRules.bounded(
                text, field: "description", maxLength: SocialGraphLimits.captionLength
            ).unlessBlank
        tags = try Self.tags(fields["algorithmTags"] ?? [])
    }

    /// Reads tags: one part with a JSON array or a comma-separated list, or one tag in each part.
    private static func tags(_ parts: [String]) throws -> [String] {
        let (field, limit) = ("algorithmTags", SocialGraphLimits.tagsPerPost)
        if parts.count == 1, parts[0].utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
            var object = try StrictObject(Array("{\"\(field)\":\(parts[0])}".utf8))
            return try object.strings(field, maxCount: limit, maxLength: SocialGraphLimits.tagLength)
        }
        let tags = parts.count == 1 ? parts[0].commaSeparated : parts.filter { !$0.isEmpty }
        guard tags.count <= limit else {
            throw Problem(.tooMany, "\"\(field)\" may have at most \(limit) entries.", field: field)
        }
        return try tags.map { try TextRules.bounded($0, field: field, maxLength: SocialGraphLimits.tagLength) }
    }
}

extension ProductServices {
    static let internalPlatform = "internal"

    /// Returns true if a share to `platform` is a reshare.
    static func isInternal(_ platform: String?) -> Bool { platform.map { $0.lowercased() == internalPlatform } ?? true }

    /// Reshares if the platform is this server; otherwise records a share elsewhere, by one write. A reshare may be
    /// repeated.
    func share(
        _ post: PostID, by user: UserID, platform: String?
    ) async throws -> (id: Int64, counts: EngagementCounts) {
        try await visibility.require(post, for: user)
        if let platform, !Self.isInternal(platform) {
            return try await graph.engagement.shareExternally(post, by: user, platform: platform)
        }
        try await graph.reshares.reshare(post, by: user)
        guard let reshare = try await graph.reshares.reshareID(of: post, by: user) else {
            throw GraphError.postNotFound
        }
        return (reshare, try await graph.engagement.counts(of: post))
    }
}
