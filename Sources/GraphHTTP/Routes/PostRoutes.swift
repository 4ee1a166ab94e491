import Database
import Discovery
import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Timeline

/// Publishing, reading, editing and deleting posts.
struct PostRoutes: Sendable {
    let graph: GraphStore
    let posting: PostingService
    let timelines: Timelines
    let trends: Trends
    let encoding: PostEncoding

    /// `POST /v1/posts` → 201 with the post
    @Sendable func publish(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let author = try context.requireCaller()
        let new = try NewPost(by: author, body: await request.bodyBytes())
        let details = try await timelines.details.ofNewItem(by: author)
        return try await context.creating {
            try await posting.publish(new)
        } answer: { [encoding] post in
            .json(.created, headers: [.location: "/v1/posts/\(post.id.rawValue)"]) {
                $0.post(encoding.fragment(of: post), details, for: author)
            }
        }
    }

    /// `GET /v1/posts/{id}`, with `businessData` for business accounts
    @Sendable func post(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard let post = try await timelines.posts.post(context.postID(), for: caller) else {
            throw GraphError.postNotFound
        }
        let details = try await timelines.details.details(of: post, for: caller)
        guard try await graph.accounts.isBusiness(caller) else {
            return .json(reservingCapacity: post.json.count + 300) { $0.post(post, details, for: caller) }
        }
        let statistics = try await trends.post(post.id)
        return .json(reservingCapacity: post.json.count + 512) {
            $0.post(post, details, for: caller, businessData: statistics)
        }
    }

    /// `PATCH /v1/posts/{id}` {caption?, title?, link?, thumbnailUrl?}, by its author → the post. Null removes a value.
    /// Fields that decide where a post appears cannot be edited.
    @Sendable func edit(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        var change = PostChange()
        change.caption = try body.optionalString("caption", maxLength: SocialGraphLimits.captionLength)
        change.title = try body.edit("title") {
            try $0.optionalString("title", maxLength: SocialGraphLimits.titleLength)
        }
        change.link = try body.edit("link") { try $0.optionalURL("link") }
        change.thumbnailURL = try body.edit("thumbnailUrl") { try $0.optionalURL("thumbnailUrl") }
        try body.end()
        let post = try await posting.edit(id, by: caller, change)
        let fragment = encoding.fragment(of: post)
        let details = try await timelines.details.details(of: fragment, for: caller)
        return .json { $0.post(fragment, details, for: caller) }
    }

    /// `DELETE /v1/posts/{id}` → 204
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await posting.delete(context.postID(), by: context.requireCaller())
        return .noContent
    }
}

extension StrictObject {
    /// Reads `mediaUrl`, or instead of it `mediaId`, an uploaded file; the URL is empty then.
    fileprivate mutating func mediaReference() throws -> (media: MediaID?, url: String) {
        guard let id = try optionalID("mediaId") else { return (nil, try url("mediaUrl")) }
        guard try optionalURL("mediaUrl") == nil else {
            throw Problem(.invalidValue, "Give \"mediaId\" or \"mediaUrl\", not both.", field: "mediaUrl")
        }
        return (MediaID(rawValue: id), "")
    }

    /// Reads a field for which null means removal; nil if it is absent.
    fileprivate mutating func edit(
        _ name: String, _ read: (inout StrictObject) throws -> String?
    ) throws -> PostChange.Text? {
        let isNull = isNull(name)
        if let text = try read(&self) { return .set(text) }
        return isNull ? PostChange.Text.none : nil
    }
}

extension NewPost {
    /// Reads and checks the body of a post request.
    package init(by author: UserID, body bytes: [UInt8]) throws {
        var body = try StrictObject(bytes)
        let caption = try body.string("caption", maxLength: SocialGraphLimits.captionLength)
        let (media, mediaURL) = try body.mediaReference()
        let title = try body.optionalText("title", maxLength: SocialGraphLimits.titleLength)
        let thumbnail = try body.optionalURL("thumbnailUrl")
        let attributes = try body.optionalAttributes("attributes", vocabulary: AttributeVocabulary.posts)
        let category = try body.optionalString("category", maxLength: SocialGraphLimits.categoryLength)
        let tags = try body.strings(
            "algorithmTags", maxCount: SocialGraphLimits.tagsPerPost, maxLength: SocialGraphLimits.tagLength)
        let collaborators = try body.ids("collaborators", maxCount: SocialGraphLimits.collaboratorsPerPost)
        let link = try body.optionalURL("link")
        let visibility = try body.optionalChoice("visibility", of: [PostVisibility.everyone, .followers])
        let community = try body.optionalID("communityId").map(CommunityID.init(rawValue:))
        try body.end()
        self.init(
            author: author, caption: caption, mediaURL: mediaURL, category: category, algorithmTags: tags,
            collaborators: collaborators.map(UserID.init(rawValue:)), link: link, title: title,
            thumbnailURL: thumbnail, media: media, attributes: attributes ?? [:], visibility: visibility ?? .everyone,
            community: community)
    }
}
