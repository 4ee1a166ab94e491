import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph

/// The users whom the caller has muted, and the muted kinds.
struct MuteRoutes: Sendable {
    let graph: GraphStore

    /// `PUT /v1/users/{id}/mute` → 204: mutes everything without a body, otherwise exactly the kinds of {posts,
    /// reshares, notifications} that are true; until `expiresAt` or for `duration` seconds, if given; replaces the
    /// earlier mute
    @Sendable func mute(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (caller, muted) = (try context.requireCaller(), try context.userID())
        var (kinds, end) = (MuteKinds.everything, Int64?.none)
        if var body = try await request.optionalObject() {
            end = try body.optionalExpiry(now: graph.expiryTime)
            kinds = try MuteKinds(reading: &body, withoutKinds: end != nil)
        }
        try await graph.blocksAndMutes.mute(caller, muted, kinds, until: end)
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
    ///
    /// - Parameter isEnough: the body says enough without kinds, and mutes everything.
    package init(reading body: inout StrictObject, withoutKinds isEnough: Bool = false) throws {
        self = []
        var isNamed = false
        let kinds: [(String, MuteKinds)] = [
            ("posts", .posts), ("reshares", .reshares), ("notifications", .notifications),
        ]
        for (name, kind) in kinds {
            guard let isMuted = try body.optionalBool(name) else { continue }
            isNamed = true
            if isMuted { insert(kind) }
        }
        try body.end()
        if isEnough, !isNamed { self = .everything }
        guard !isEmpty else {
            let hint = "To end the mute, use DELETE."
            throw Problem(.invalidValue, "At least one of posts, reshares and notifications must be true. \(hint)")
        }
    }
}
