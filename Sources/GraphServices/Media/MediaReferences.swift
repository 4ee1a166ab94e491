import SocialGraph

/// Resolves URLs of this server's files in requests. They are stored as paths, and accepted only from the file's owner.
package struct MediaReferences: Sendable {
    package let graph: GraphStore
    let urls: PublicURL

    package init(graph: GraphStore, urls: PublicURL) {
        self.graph = graph
        self.urls = urls
    }

    /// Returns `post` with the files that its URLs name.
    ///
    /// - Throws: `Problem` 422 `invalid_url` if a file of this server does not exist, or is another user's.
    package func resolved(_ post: NewPost) async throws -> NewPost {
        var post = post
        if let file = try await file(at: post.mediaURL, of: post.author, field: "mediaUrl") {
            (post.mediaURL, post.media) = (file.path, file.id)
        }
        if let thumbnail = post.thumbnailURL,
            let file = try await file(at: thumbnail, of: post.author, field: "thumbnailUrl")
        {
            (post.thumbnailURL, post.thumbnail) = (file.path, file.id)
        }
        return post
    }

    /// Returns the file of `owner` that `url` names; nil if the URL is not one of this server.
    ///
    /// - Throws: as ``resolved(_:)``.
    package func file(at url: String, of owner: UserID, field: String) async throws -> Media? {
        guard let id = urls.media(at: url) else { return nil }
        guard let file = try await graph.media.media(id), file.owner == owner else { throw Self.notOwn(field) }
        return file
    }

    /// Refuses the URL of a file of this server, for a caller who cannot have uploaded any.
    ///
    /// - Throws: as ``resolved(_:)``.
    package func requireForeign(_ url: String, field: String) throws {
        if urls.media(at: url) != nil { throw Self.notOwn(field) }
    }

    private static func notOwn(_ field: String) -> Problem {
        Problem(.invalidURL, "\"\(field)\" is a file on this server that you have not uploaded.", field: field)
    }
}
