import GraphAPI
import Hummingbird
import SocialGraph
import Timeline

/// Timelines as pages {items, nextCursor}.
struct TimelineRoutes: Sendable {
    let timelines: TimelineReader

    /// `GET /v1/timelines/home`
    @Sendable func home(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try paging(request)
        return answer(try await timelines.home(of: context.requireCaller(), below: cursor, limit: limit))
    }

    /// `GET /v1/timelines/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try paging(request)
        return answer(try await timelines.author(context.userID(), below: cursor, limit: limit))
    }

    private func paging(_ request: Request) throws -> (limit: Int, cursor: PostID?) {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        try query.end()
        return (limit, cursor.map(PostID.init(rawValue:)))
    }

    private func answer(_ page: TimelinePage) -> Response {
        let size = page.items.reduce(64) { $0 + $1.head.count + 128 }
        return .json(reservingCapacity: size) { json in
            json.page(page.items, next: page.next?.rawValue) { $0.post($1) }
        }
    }
}
