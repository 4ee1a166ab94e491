import Foundation
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph

/// The categories and tags that the caller follows, by name.
struct TopicRoutes: Sendable {
    let graph: GraphStore

    /// `PUT /v1/topics/{name}/follow`, optionally with {inHome}, default true → 204
    @Sendable func follow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (caller, name) = (try context.requireCaller(), try context.topicName())
        var isInHome = true
        if var body = try await request.optionalObject() {
            isInHome = try body.optionalBool("inHome") ?? true
            try body.end()
        }
        try await graph.topics.followTopic(name, by: caller, isInHome: isInHome)
        return .noContent
    }

    /// `DELETE /v1/topics/{name}/follow` → 204, also if the topic was not followed
    @Sendable func unfollow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.topics.unfollowTopic(context.topicName(), by: context.requireCaller())
        return .noContent
    }

    /// `GET /v1/me/topics` → {items: [{name, inHome}]}, all of them, the latest first
    @Sendable func topics(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let topics = try await graph.topics.followedTopics(of: context.requireCaller())
        return .json { $0.followedTopics(topics) }
    }
}

extension GraphRequestContext {
    /// Returns the topic named by `{name}`, checked by the rules of a tag.
    fileprivate func topicName() throws -> String {
        guard let name = parameters.get("name")?.removingPercentEncoding, !name.unicodeScalars.contains("\0") else {
            throw Problem(
                .invalidValue, "A topic's name must be percent-encoded UTF-8 without NUL characters.", field: "name")
        }
        return try TextRules.bounded(name, field: "name", maxLength: SocialGraphLimits.tagLength)
    }
}
