import Database
import Discovery
import GraphAPI
import GraphHTTP
import Hummingbird
import SocialGraph

/// FitStream's product API, under `/fitstream`: workout videos.
enum FitStream: VideoProduct {
    static let base: RouterPath = "/fitstream"
    static let attributes = ["workoutType"]
    static let videoIDField = "video_id"
    static let userIDField = "user_id"
    static let nameField = "name"
    static let pictureField = "profileImageUrl"
    static let likesField = "likeCount"
    static let commentIDField = "comment_id"
    static let commentTimeField = "timestamp"
    static let savedField: String? = "savedVideos"
    static let showsLikedVideos = true

    static func writeMembers(of video: ProductVideo, to json: inout JSONWriter) {
        json.member("video_id", id: video.post.id.rawValue)
        json.member("title", video.post.title)
        json.member("description", video.post.caption)
        json.member("videoUrl", video.url(video.post.mediaURL))
        json.member("thumbnailUrl", video.post.thumbnailURL.map(video.url))
        json.member("workoutType", video.text("workoutType"))
        json.member("difficulty", video.text("difficulty"))
        json.member("duration", video.number("duration"))
        json.member("uploadTime", time: video.post.createdAt)
        json.member("muscleGroup", video.text("muscleGroup"))
    }

    static func writeMembers(of user: ProductUser, to json: inout JSONWriter) {
        json.member("user_id", id: user.account.id.rawValue)
        json.member("name", user.name)
        json.member("profileImageUrl", user.pictureURL)
        json.member("savedVideos", ids: user.own?.saved)
        json.member("likedVideos", ids: user.own?.liked)
        json.key("workoutPreferences")
        guard let own = user.own else { return json.null() }
        json.beginObject()
        json.key("preferredWorkoutTypes")
        if case .list(let types)? = own.preferences["preferredWorkoutTypes"] {
            json.strings(types)
        } else {
            json.null()
        }
        json.member("preferredDifficulty", user.text("preferredDifficulty"))
        json.endObject()
    }

    static func preferences(in body: inout StrictObject) throws -> [String: AttributeValue?] {
        try body.preferenceChanges(
            "workoutPreferences", only: ["preferredWorkoutTypes", "preferredDifficulty"])
    }

    static func add(_ routes: VideoRoutes<Self>, to group: RouterGroup<GraphRequestContext>) {
        group.post("/ai/workoutJump", use: routes.workoutJump)
        group.get("/ai/recommendations", use: routes.aiRecommendations)
    }
}

extension VideoRoutes<FitStream> {
    /// `POST /ai/workoutJump` {videoId, command} → {timestamp}, in seconds
    @Sendable func workoutJump(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let found = try await jump(request, context, command: "command")
        return .json { json in
            json.beginObject()
            json.member("timestamp", found.place.timestamp.seconds)
            json.endObject()
        }
    }

    /// `GET /ai/recommendations?user_id` → {recommendations: [{videoId, score}]}
    @Sendable func aiRecommendations(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let list = try await recommendations(request, context, user: "user_id")
        return .json { $0.recommendations(list) }
    }
}
