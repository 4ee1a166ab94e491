import Database
import GraphAPI
import GraphServices
import Hummingbird
import Saves
import SocialGraph
import Timeline

/// Named collections of saved posts: private to their owner.
struct CollectionRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let visibility: PostVisibilityCheck

    /// `POST /v1/me/collections` {name} → 201 {collectionId, name, postsCount, createdAt, updatedAt}
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, name) = (try context.requireCaller(), try await Self.name(request))
        return try await context.creating {
            try await graph.collections.createCollection(named: name, by: caller)
        } answer: { collection in
            .json(.created) { $0.collection(collection) }
        }
    }

    /// `GET /v1/me/collections` → {items}, all of them, the latest first
    @Sendable func collections(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let collections = try await graph.collections.collections(of: context.requireCaller())
        return .json { json in json.items(collections) { $0.collection($1) } }
    }

    /// `GET /v1/me/collections/{id}` → the collection
    @Sendable func collection(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let collection = try await graph.collections.collection(context.collectionID(), of: context.requireCaller())
        return .json { $0.collection(collection) }
    }

    /// `PATCH /v1/me/collections/{id}` {name} → the collection
    @Sendable func rename(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.collectionID(), try context.requireCaller())
        let collection = try await graph.collections.renameCollection(id, to: Self.name(request), by: caller)
        return .json { $0.collection(collection) }
    }

    /// `DELETE /v1/me/collections/{id}` → 204; its posts stay saved
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.collections.deleteCollection(context.collectionID(), by: context.requireCaller())
        return .noContent
    }

    /// `GET /v1/me/collections/{id}/posts` → {items, nextCursor}, in the collection's order
    @Sendable func posts(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let caller = try context.requireCaller()
        let page = try await timelines.saves.collection(
            context.collectionID(), of: caller, above: cursor, limit: limit)
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json { json in
            json.page(zip(page.items, details), next: page.next) { $0.post($1.0.post, $1.1) }
        }
    }

    /// `PUT /v1/me/collections/{id}/posts/{postId}` → 204: appends the post, or leaves it in its place; also saves it
    @Sendable func add(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.collectionID(), try context.requireCaller())
        let post = try context.postID("postId")
        _ = try await graph.collections.collection(id, of: caller)
        try await visibility.require(post, for: caller)
        try await graph.collections.collect(post, in: id, by: caller)
        return .noContent
    }

    /// `DELETE /v1/me/collections/{id}/posts/{postId}` → 204, also if it was not in it; it stays saved
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.collections.uncollect(
            context.postID("postId"), from: context.collectionID(), by: context.requireCaller())
        return .noContent
    }

    /// `PUT /v1/me/collections/{id}/order` {postIds} → 204: these first, in this order; the others follow in their old
    /// order
    @Sendable func reorder(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.collectionID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        _ = try body.required("postIds", body.value(of: "postIds"))
        let posts = try body.ids("postIds", maxCount: Int(SocialGraphLimits.postsPerCollection))
        try body.end()
        try await graph.collections.reorder(id, first: posts.map(PostID.init(rawValue:)), by: caller)
        return .noContent
    }

    private static func name(_ request: Request) async throws -> String {
        try request.refuseQuery()
        var body = try StrictObject(await request.bodyBytes())
        let name = try body.title("name", maxLength: SocialGraphLimits.collectionNameLength)
        try body.end()
        return name
    }
}
