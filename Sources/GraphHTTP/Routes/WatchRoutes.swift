import Discovery
import GraphServices
import Hummingbird
import SocialGraph
import StrictJSON

/// The caller's watched videos.
struct WatchRoutes: Sendable {
    let graph: GraphStore
    let visibility: PostVisibilityCheck

    /// `POST /v1/posts/{id}/watch` {seconds, completed?} → 204: the caller's progress in a video. Several events are
    /// merged: the longest time, and completion once reached, are kept.
    @Sendable func watch(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let seconds = try body.seconds("seconds", in: DiscoveryLimits.watchedSeconds)
        let isCompleted = try body.optionalBool("completed") ?? false
        try body.end()
        try await visibility.require(post, for: caller)
        try await graph.watches.watch(post, by: caller, seconds: seconds, isCompleted: isCompleted)
        return .noContent
    }
}

extension StrictObject {
    fileprivate mutating func seconds(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        let value: Double
        switch try required(name, take(name)) {
        case .integer(let whole): value = Double(whole)
        case .double(let number): value = number
        case let other: throw Self.wrongType(name, other, expected: "a number")
        }
        guard range.contains(value) else {
            let right = "must be from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw Problem(.invalidValue, "The field \"\(name)\" \(right).", field: name)
        }
        return value
    }
}
