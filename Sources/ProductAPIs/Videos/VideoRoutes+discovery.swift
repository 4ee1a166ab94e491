import Database
import Discovery
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph

extension VideoRoutes {
    /// Number of recommended videos.
    static var recommended: Int { 50 }

    /// `GET /videos/{id}/segments` → a JSON array of {segmentId, label, startTime, endTime}, ascending by start
    @Sendable func segments(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.postID(), try context.requireCaller())
        _ = try await requireVideo(id, for: caller)
        let segments = try await services.segments.named(of: id)
        return .json { json in
            json.beginArray()
            for segment in segments {
                json.beginObject()
                json.member("segmentId", id: segment.id.rawValue)
                json.member("label", segment.label)
                json.member("startTime", segment.start.seconds)
                json.member("endTime", segment.end.seconds)
                json.endObject()
            }
            json.endArray()
        }
    }

    /// Returns the place in a video that a body requests, by the video's id and the command in `field`. Throws
    /// ``GraphError/postNotFound`` and `Problem` 404 `no_such_part`.
    func jump(
        _ request: Request, _ context: GraphRequestContext, command field: String
    ) async throws -> (place: VideoPlace, video: PostID) {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        let id = try body.videoID("videoId")
        let command = try body.string(field, maxLength: DiscoveryLimits.commandLength)
        _ = try await requireVideo(id, for: caller)
        guard let place = try await services.segments.segments.find(command, in: id, for: caller) else {
            throw Problem.noSuchPart
        }
        return (place, id)
    }

    /// Returns videos of the product recommended to the caller, who must be the user that the parameter names; the best
    /// first.
    package func recommendations(
        _ request: Request, _ context: GraphRequestContext, user parameter: String
    ) async throws -> [Recommendation] {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let limit = try ProductPage.limit(&query, default: Self.recommended)
        guard let named = query.string(parameter), !named.isEmpty else {
            throw Problem(.invalidParameter, "The parameter \"\(parameter)\" is required.", field: parameter)
        }
        guard TextRules.parseID(named) == caller.rawValue else {
            throw Problem(.forbidden, "\"\(parameter)\" must be your own user id.", field: parameter)
        }
        return try await services.recommendations.list(
            for: caller, scope: .carrying(anyOf: Product.attributes), limit: limit)
    }
}

extension JSONWriter {
    /// `[{videoId, score}]`
    mutating func recommended(_ list: [Recommendation]) {
        beginArray()
        for item in list {
            beginObject()
            member("videoId", id: item.post.rawValue)
            member("score", item.score)
            endObject()
        }
        endArray()
    }

    /// `{recommendations: [{videoId, score}]}`
    package mutating func recommendations(_ list: [Recommendation]) {
        beginObject()
        key("recommendations")
        recommended(list)
        endObject()
    }
}

extension Int64 {
    /// Milliseconds as seconds.
    package var seconds: Double { Double(self) / 1_000 }
}
