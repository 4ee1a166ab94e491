import Database
import Discovery
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph

/// FitFocus's product API, under `/fitfocus`: fitness videos.
enum FitFocus: VideoProduct {
    static let base: RouterPath = "/fitfocus"
    static let attributes = ["difficultyLevel"]
    static let videoIDField = "videoId"
    static let userIDField = "userId"
    static let nameField = "displayName"
    static let pictureField = "profilePicUrl"
    static let likesField = "likesCount"
    static let commentIDField = "commentId"
    static let commentTimeField = "timestamp"
    static let savedField: String? = nil
    /// In FitFocus a category is the group of muscles that a video trains.
    static let parameterAliases = ["muscleGroup": "category"]

    static func writeMembers(of video: ProductVideo, to json: inout JSONWriter) {
        json.member("videoId", id: video.post.id.rawValue)
        json.member("title", video.post.title)
        json.member("thumbnailUrl", video.post.thumbnailURL.map(video.url))
        json.member("videoUrl", video.url(video.post.mediaURL))
        json.member("category", video.post.category)
        json.member("difficultyLevel", video.text("difficultyLevel"))
        json.member("likesCount", video.post.counts.likes)
        json.member("commentsCount", video.post.counts.comments)
        json.member("createdAt", time: video.post.createdAt)
    }

    static func writeMembers(ofSaved video: ProductVideo, to json: inout JSONWriter) {
        json.member("videoId", id: video.post.id.rawValue)
    }

    static func writeMembers(of user: ProductUser, to json: inout JSONWriter) {
        json.member("userId", id: user.account.id.rawValue)
        json.member("displayName", user.name)
        json.member("email", user.own?.email)
        json.member("profilePicUrl", user.pictureURL)
        json.member("createdAt", time: user.account.createdAt)
        json.key("preferences")
        guard let own = user.own else { return json.null() }
        json.beginObject()
        for name in ["primaryGoal", "skillLevel"] where own.preferences[name] == nil {
            json.member(escaping: name, String?.none)
        }
        json.attributeMembers(own.preferences)
        json.endObject()
    }

    static func preferences(in body: inout StrictObject) throws -> [String: AttributeValue?] {
        try body.preferenceChanges("preferences")
    }

    static func add(_ routes: VideoRoutes<Self>, to group: RouterGroup<GraphRequestContext>) {
        group.post("/smartScan/searchSegment", use: routes.searchSegment)
        group.get("/recommendations", use: routes.personalLens)
    }
}

extension VideoRoutes<FitFocus> {
    /// `POST /smartScan/searchSegment` {videoId, userQuery} → {segmentId, startTime, endTime}, in seconds; the id is
    /// null if the requested time is in no segment. An invalid request, a missing video and a query that matches no
    /// part of it are 400.
    @Sendable func searchSegment(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let found = try await answeringBadRequests("Video not found or AI analysis failed.") {
            try await jump(request, context, command: "userQuery")
        }
        return .json { json in
            json.beginObject()
            json.member("segmentId", id: found.place.segment?.rawValue)
            json.member("startTime", found.place.start.seconds)
            json.member("endTime", found.place.end.seconds)
            json.endObject()
        }
    }

    /// `GET /recommendations?userId` → {recommendations: [{videoId, score}]}; 400 without a user, or for an unknown one
    @Sendable func personalLens(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let user = query.string("userId").flatMap { TextRules.parseID($0) }.map(UserID.init(rawValue:))
        guard let user,
            try await services.graph.blocksAndMutes.shownAccount(user, to: context.requireCaller()) != nil
        else {
            throw Problem(.badRequest, "No user found or recommendation service error.", field: "userId")
        }
        let list = try await recommendations(request, context, user: "userId")
        return .json { $0.recommendations(list) }
    }

    /// Answers a missing video, and a missing part of one, with 400, in the API's words: it defines 400 for a request
    /// whose subject does not exist.
    private func answeringBadRequests<Value>(
        _ text: String, _ act: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await act()
        } catch GraphError.postNotFound {
            throw Problem(.badRequest, text)
        } catch let problem as Problem where problem.code == .noSuchPart {
            throw Problem(.badRequest, text)
        } catch let problem as Problem where problem.status == .unprocessableContent {
            throw Problem(.badRequest, problem.detail, field: problem.field)
        }
    }
}
