import Hummingbird

// The routes of posts, and of acts on them.

extension PostRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/posts", use: publish)
        v1.get("/posts/{id}", use: post)
        v1.patch("/posts/{id}", use: edit)
        v1.delete("/posts/{id}", use: delete)
    }
}

extension MediaRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/media", use: store)
        v1.get("/media/{id}", use: status)
        v1.get("/media/{id}/link", use: link)
    }
}

extension RenditionRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/media/{id}/renditions/{name}", use: put)
        v1.delete("/media/{id}/renditions/{name}", use: remove)
    }
}

extension DeliveryRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/posts/{id}/delivery", use: receipt)
    }
}

extension ReshareRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/reshare", use: reshare)
        v1.delete("/posts/{id}/reshare", use: unreshare)
    }
}

extension LikeRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/like", use: like)
        v1.delete("/posts/{id}/like", use: unlike)
        v1.get("/posts/{id}/likes", use: likes)
        v1.get("/me/likes", use: ownLikes)
        v1.post("/posts/{id}/shares", use: shareExternally)
    }
}

extension CollaborationRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/collaborators/{userId}", use: invite)
        v1.delete("/posts/{id}/collaborators/{userId}", use: remove)
        v1.post("/posts/{id}/collaboration/accept", use: accept)
        v1.post("/posts/{id}/collaboration/decline", use: decline)
        v1.post("/posts/{id}/collaboration/leave", use: leave)
    }
}

extension CommentRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/posts/{id}/comments", use: comment)
        v1.get("/posts/{id}/comments", use: comments)
        v1.get("/comments/{id}", use: show)
        v1.patch("/comments/{id}", use: edit)
        v1.delete("/comments/{id}", use: delete)
    }
}

extension SaveRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/save", use: save)
        v1.delete("/posts/{id}/save", use: unsave)
        v1.get("/me/saves", use: saves)
    }
}

extension CollectionRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/me/collections", use: create)
        v1.get("/me/collections", use: collections)
        v1.get("/me/collections/{id}", use: collection)
        v1.patch("/me/collections/{id}", use: rename)
        v1.delete("/me/collections/{id}", use: delete)
        v1.get("/me/collections/{id}/posts", use: posts)
        v1.put("/me/collections/{id}/posts/{postId}", use: add)
        v1.delete("/me/collections/{id}/posts/{postId}", use: remove)
        v1.put("/me/collections/{id}/order", use: reorder)
    }
}

extension SegmentRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/segments", use: replace)
        v1.get("/posts/{id}/segments", use: contents)
        v1.put("/posts/{id}/transcript", use: replaceTranscript)
        v1.get("/posts/{id}/transcript", use: transcript)
        v1.delete("/posts/{id}/transcript", use: deleteTranscript)
        v1.post("/posts/{id}/jump", use: jump)
    }
}

extension EmbeddingRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/posts/{id}/embedding", use: put)
        v1.get("/posts/{id}/embedding", use: get)
        v1.delete("/posts/{id}/embedding", use: delete)
    }
}

extension WatchRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/posts/{id}/watch", use: watch)
    }
}
