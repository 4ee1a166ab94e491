import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Saves
import SocialGraph
import Timeline

/// The caller's saved videos and collections.
extension VideoRoutes {
    /// `POST /users/{id}/saveVideo` and `POST /users/{id}/favorites` {video id} → the user document, and status
    @Sendable func save(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        let video = try await video(in: request)
        _ = try await requireVideo(video, for: caller)
        try await services.graph.saves.save(video, by: caller)
        return try await answer(caller, caller, status: "success")
    }

    /// `DELETE /users/{id}/saveVideo/{videoId}` and `DELETE /users/{id}/favorites/{videoId}` → the user document, and
    /// status
    @Sendable func unsave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, video) = (try context.requireOwn(), try context.postID("videoId"))
        if try await !services.graph.saves.unsave(video, by: caller) { _ = try await requireVideo(video, for: caller) }
        return try await answer(caller, caller, status: "success")
    }

    /// `GET /users/{id}/savedVideos?limit&startAfter` → a JSON array, the latest first
    @Sendable func savedVideos(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let page = try await saves(request, context)
        let videos = try await documents(of: page.posts)
        let times = Dictionary(uniqueKeysWithValues: page.saves.map { ($0.post, $0.savedAt) })
        var response = Response.json(reservingCapacity: 512 * (videos.count + 1)) { json in
            json.beginArray()
            for video in videos { Product.write(saved: video, at: times[video.post.id] ?? 0, to: &json) }
            json.endArray()
        }
        if let next = page.next { response.headers[.nextCursor] = next }
        return response
    }

    /// `GET /users/{id}/favorites?limit&startAfter` → a JSON array of videos, the latest saved first
    @Sendable func favorites(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let page = try await saves(request, context)
        return try await answer(page.posts, next: page.next)
    }

    private func saves(
        _ request: Request, _ context: GraphRequestContext
    ) async throws -> (saves: [SavedPost], posts: [Post], next: String?) {
        let caller = try context.requireOwn()
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "startAfter", defaultLimit: VideoQuestion.defaultLimit)
        let page = try await services.timelines.saves.saves(of: caller, below: ask.cursor, limit: ask.limit) {
            Product.includes($0.attributes)
        }
        let posts = try await services.graph.posts.posts(page.items.map(\.post.id))
        return (page.items.map(\.save), posts, page.next.map { String($0) })
    }

    // MARK: Collections

    /// `GET /users/{id}/collections` → a JSON array, the latest first
    @Sendable func collections(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let collections = try await services.graph.collections.collections(of: context.requireOwn())
        return .json { json in
            json.beginArray()
            for collection in collections { json.collection(collection) }
            json.endArray()
        }
    }

    /// `POST /users/{id}/collections` {name} → 201 {collectionId, name, postsCount, createdAt, updatedAt}
    @Sendable func createCollection(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, name) = (try context.requireOwn(), try await collectionName(request))
        return try await context.creating {
            try await services.graph.collections.createCollection(named: name, by: caller)
        } answer: { collection in
            .json(.created) { $0.collection(collection) }
        }
    }

    /// `PATCH /users/{id}/collections/{collectionId}` {name} → the collection
    @Sendable func renameCollection(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, id) = (try context.requireOwn(), try context.collectionID("collectionId"))
        let collection = try await services.graph.collections.renameCollection(
            id, to: collectionName(request), by: caller)
        return .json { $0.collection(collection) }
    }

    /// `DELETE /users/{id}/collections/{collectionId}` → {status}; its videos stay saved
    @Sendable func deleteCollection(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await services.graph.collections.deleteCollection(
            context.collectionID("collectionId"), by: context.requireOwn())
        return .json { $0.statusSuccess() }
    }

    /// `GET /users/{id}/collections/{collectionId}/videos?limit&startAfter` → a JSON array in the collection's order
    @Sendable func collectionVideos(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, id) = (try context.requireOwn(), try context.collectionID("collectionId"))
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "startAfter", defaultLimit: VideoQuestion.defaultLimit)
        let page = try await services.timelines.saves.collection(id, of: caller, above: ask.cursor, limit: ask.limit) {
            Product.includes($0.attributes)
        }
        let posts = try await services.graph.posts.posts(page.items.map(\.post.id))
        return try await answer(posts, next: page.next.map { String($0) })
    }

    /// `POST /users/{id}/collections/{collectionId}/videos` {video id} → {status}; also saves it
    @Sendable func collect(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, id) = (try context.requireOwn(), try context.collectionID("collectionId"))
        let video = try await video(in: request)
        _ = try await services.graph.collections.collection(id, of: caller)
        _ = try await requireVideo(video, for: caller)
        try await services.graph.collections.collect(video, in: id, by: caller)
        return .json { $0.statusSuccess() }
    }

    /// `DELETE /users/{id}/collections/{collectionId}/videos/{videoId}` → {status}; it stays saved
    @Sendable func uncollect(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, id) = (try context.requireOwn(), try context.collectionID("collectionId"))
        try await services.graph.collections.uncollect(context.postID("videoId"), from: id, by: caller)
        return .json { $0.statusSuccess() }
    }

    /// `PUT /users/{id}/collections/{collectionId}/order` {videoIds} → {status}: these first, the others after them
    @Sendable func orderCollection(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (caller, id) = (try context.requireOwn(), try context.collectionID("collectionId"))
        var body = try await request.lenientObject()
        _ = try body.required("videoIds", body.value(of: "videoIds"))
        let videos = try body.ids("videoIds", maxCount: Int(SocialGraphLimits.postsPerCollection))
        try await services.graph.collections.reorder(id, first: videos.map(PostID.init(rawValue:)), by: caller)
        return .json { $0.statusSuccess() }
    }

    private func collectionName(_ request: Request) async throws -> String {
        var body = try await request.lenientObject()
        return try body.title("name", maxLength: SocialGraphLimits.collectionNameLength)
    }

    private func video(in request: Request) async throws -> PostID {
        var body = try await request.lenientObject()
        return try body.videoID(Product.videoIDField)
    }
}

extension StrictObject {
    /// Reads the video's id. A text that is not an id names no video: throws ``GraphError/postNotFound``.
    mutating func videoID(_ name: String) throws -> PostID {
        guard let id = TextRules.parseID(try anyString(name)) else { throw GraphError.postNotFound }
        return PostID(rawValue: id)
    }
}
