import GraphAPI
import GraphHTTP
import Hummingbird
import SocialGraph
import Timeline

/// The API of a video product. It only translates: the services of `/v1` decide.
struct VideoRoutes<Product: VideoProduct>: ProductAPI {
    let services: ProductServices

    var base: RouterPath { Product.base }
    var errors: ProductErrors { Product.errors }

    func add(open: RouterGroup<GraphRequestContext>, to group: RouterGroup<GraphRequestContext>) {
        open.post("/auth/signup", use: signUp)
        open.post("/auth/login", use: logIn)
        group.post("/auth/logout", use: logOut)

        group.get("/videos", use: videos)
        group.get("/search/videos", use: videos)
        group.get("/videos/{id}", use: video)
        group.get("/videos/{id}/segments", use: segments)
        group.post("/videos/{id}/like", use: like)
        group.delete("/videos/{id}/like", use: unlike)
        group.post("/videos/{id}/comment", use: comment)
        group.post("/videos/{id}/comments", use: comment)
        group.get("/videos/{id}/comments", use: comments)

        group.get("/users/{id}", use: user)
        group.put("/users/{id}", use: changeUser)
        group.patch("/users/{id}", use: changeUser)
        addSaves(to: group)
        Product.add(self, to: group)
    }

    private func addSaves(to group: RouterGroup<GraphRequestContext>) {
        group.post("/users/{id}/saveVideo", use: save)
        group.delete("/users/{id}/saveVideo/{videoId}", use: unsave)
        group.get("/users/{id}/savedVideos", use: savedVideos)
        group.get("/users/{id}/favorites", use: favorites)
        group.post("/users/{id}/favorites", use: save)
        group.delete("/users/{id}/favorites/{videoId}", use: unsave)

        group.get("/users/{id}/collections", use: collections)
        group.post("/users/{id}/collections", use: createCollection)
        group.patch("/users/{id}/collections/{collectionId}", use: renameCollection)
        group.delete("/users/{id}/collections/{collectionId}", use: deleteCollection)
        group.get("/users/{id}/collections/{collectionId}/videos", use: collectionVideos)
        group.post("/users/{id}/collections/{collectionId}/videos", use: collect)
        group.delete("/users/{id}/collections/{collectionId}/videos/{videoId}", use: uncollect)
        group.put("/users/{id}/collections/{collectionId}/order", use: orderCollection)
    }

    /// Returns a post that is a video of this product and that `viewer` may see. Throws ``GraphError/postNotFound``.
    func requireVideo(_ id: PostID, for viewer: UserID) async throws -> Post {
        let post = try await services.post(id, for: viewer)
        guard Product.includes(post.attributes) else { throw GraphError.postNotFound }
        return post
    }

    /// Returns posts with the data for their documents, in order.
    func documents(of posts: [Post]) async throws -> [ProductVideo] {
        let names = try await services.graph.accounts.displayNames(of: posts.map(\.author))
        let ids = posts.map(\.id)
        let named: [[NamedSegment]] =
            Product.showsSegments ? try await services.segments.named(of: ids) : ids.map { _ in [] }
        return zip(posts, named).map { post, segments in
            let given: String? = if case .text(let name)? = post.attributes["creatorName"] { name } else { nil }
            return ProductVideo(
                post: post, creatorName: given ?? names[post.author] ?? post.authorUsername, segments: segments,
                urls: services.urls)
        }
    }

    /// Returns a JSON array of documents. The cursor of the next page is in the header `X-Next-Cursor`.
    func answer(_ posts: [Post], next: String? = nil) async throws -> Response {
        let videos = try await documents(of: posts)
        var response = Response.json(reservingCapacity: 512 * (videos.count + 1)) { json in
            json.beginArray()
            for video in videos { Product.write(video, to: &json) }
            json.endArray()
        }
        if let next { response.headers[.nextCursor] = next }
        return response
    }
}
