import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph

/// The users whom the caller has muted, and the muted kinds.
struct MuteRoutes: Sendable {
    let graph: GraphStore

    /// `PUT /v1/users/{id}/mute` → 204: mutes everything without a body, otherwise exactly the kinds of {posts,
    /// reshares, notifications} that are true; replaces the earlier mute
    @Sendable func mute(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (caller, muted) = (try context.requireCaller(), try context.userID())
        var kinds = MuteKinds.everything
        if var body = try await request.optionalObject() { kinds = try MuteKinds(reading: &body) }
        try await graph.blocksAndMutes.mute(caller, muted, kinds)
        return .noContent
    }

    /// `DELETE /v1/users/{id}/mute` → 204, also if there was no mute
    @Sendable func unmute(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.blocksAndMutes.mute(context.requireCaller(), context.userID(), [])
        return .noContent
    }

    /// `GET /v1/me/mutes`, the latest first
    @Sendable func mutes(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.blocksAndMutes.mutes(of: context.requireCaller(), below: cursor, limit: limit)
        return .json { json in
            json.page(page.items, next: page.next) { $0.mute($1) }
        }
    }
}

extension MuteKinds {
    /// Reads the kinds that are true in a body; at least one.
    package init(reading body: inout StrictObject) throws {
        self = []
        let kinds: [(String, MuteKinds)] = [
            ("posts", .posts), ("reshares", .reshares), ("notifications", .notifications),
        ]
        for (name, kind) in kinds where try body.optionalBool(name) ?? false { insert(kind) }
        try body.end()
        guard !isEmpty else {
            let hint = "To end the mute, use DELETE."
            throw Problem(.invalidValue, "At least one of posts, reshares and notifications must be true. \(hint)")
        }
    }
}
