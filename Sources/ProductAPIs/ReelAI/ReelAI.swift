import Database
import Discovery
import GraphAPI
import GraphHTTP
import Hummingbird
import SocialGraph

/// ReelAI's product API, under `/reelai`: recipe videos.
enum ReelAI: VideoProduct {
    static let base: RouterPath = "/reelai"
    static let attributes = ["cuisineType", "cookingTime"]
    static let videoIDField = "videoId"
    static let userIDField = "userId"
    static let nameField = "displayName"
    static let pictureField = "profilePictureUrl"
    static let likesField = "likeCount"
    static let commentIDField = "commentId"
    static let commentTimeField = "createdAt"
    static let savedField: String? = "favorites"
    static let showsSegments = true

    static func writeMembers(of video: ProductVideo, to json: inout JSONWriter) {
        json.member("videoId", id: video.post.id.rawValue)
        json.member("title", video.post.title)
        json.member("description", video.post.caption)
        json.member("videoUrl", video.url(video.post.mediaURL))
        json.member("thumbnailUrl", video.post.thumbnailURL.map(video.url))
        json.member("creatorName", video.creatorName)
        json.member("cuisineType", video.text("cuisineType"))
        json.member("cookingTime", video.number("cookingTime"))
        json.member("likeCount", video.post.counts.likes)
        json.member("createdAt", time: video.post.createdAt)
        json.key("aiSegments")
        json.beginObject()
        for segment in video.segments {
            json.key(escaping: segment.name)
            json.beginObject()
            json.member("start", segment.start.seconds)
            json.member("end", segment.end.seconds)
            json.endObject()
        }
        json.endObject()
    }

    static func writeMembers(of user: ProductUser, to json: inout JSONWriter) {
        json.member("uid", id: user.account.id.rawValue)
        json.member("displayName", user.name)
        json.member("email", user.own?.email)
        json.member("profilePictureUrl", user.pictureURL)
        json.member("skillLevel", user.text("skillLevel"))
        json.member("favorites", ids: user.own?.saved)
    }

    static func preferences(in body: inout StrictObject) throws -> [String: AttributeValue?] {
        try ["skillLevel", "preferredCuisines", "cookingTime"].reduce(into: [:]) { changes, name in
            changes.merge(try body.preferenceChange(name)) { $1 }
        }
    }

    static func add(_ routes: VideoRoutes<Self>, to group: RouterGroup<GraphRequestContext>) {
        group.post("/smartScan", use: routes.smartScan)
        group.get("/getPersonalizedFeed", use: routes.personalizedFeed)
    }
}

extension VideoRoutes<ReelAI> {
    /// `POST /smartScan` {videoId, query} → {segmentName, startTime, endTime}, in seconds; the name is null if the
    /// requested time is in no segment
    @Sendable func smartScan(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let found = try await jump(request, context, command: "query")
        let name = try await services.segments.name(of: found.place, in: found.video)
        return .json { json in
            json.beginObject()
            json.member("segmentName", name)
            json.member("startTime", found.place.start.seconds)
            json.member("endTime", found.place.end.seconds)
            json.endObject()
        }
    }

    /// `GET /getPersonalizedFeed?uid` → [{videoId, score}]
    @Sendable func personalizedFeed(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let list = try await recommendations(request, context, user: "uid")
        return .json { $0.recommended(list) }
    }
}
