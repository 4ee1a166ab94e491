import Database
import MediaJobs
import SocialGraph

/// Resolves URLs of this server's files in requests. They are stored as paths, and accepted only from the file's owner.
package struct MediaReferences: Sendable {
    package let graph: GraphStore
    let urls: PublicURL

    package init(graph: GraphStore, urls: PublicURL) {
        self.graph = graph
        self.urls = urls
    }

    /// Returns `post` with the files that its URLs name, or with the file that it names without a URL.
    ///
    /// - Throws: `Problem` 422 `invalid_url` if a file of this server does not exist, or is another user's; for a file
    ///   without a URL 404 `media_not_found`, 409 `media_not_ready`, 422 `media_failed`.
    package func resolved(_ post: NewPost) async throws -> NewPost {
        var post = post
        if let id = post.media, post.mediaURL.isEmpty {
            try await show(id, in: &post)
        } else if let file = try await file(at: post.mediaURL, of: post.author, field: "mediaUrl") {
            (post.mediaURL, post.media) = (file.path, file.id)
        }
        if let thumbnail = post.thumbnailURL,
            let file = try await file(at: thumbnail, of: post.author, field: "thumbnailUrl")
        {
            (post.thumbnailURL, post.thumbnail) = (file.path, file.id)
        }
        return post
    }

    /// Has a post show a file, with its poster and properties. A thumbnail of the author's choice stays.
    private func show(_ id: MediaID, in post: inout NewPost) async throws {
        let field = "mediaId"
        guard let (media, job) = try await graph.mediaJobs.file(id), media.owner == post.author else {
            throw Problem(.mediaNotFound, "You have not uploaded a file \(id.rawValue).", field: field)
        }
        switch job?.state {
        case .queued?, .running?:
            throw Problem(
                .mediaNotReady,
                "The video is still being examined. \"GET /v1/media/\(id.rawValue)\" tells when it is ready.",
                field: field, advice: [.retry(afterSeconds: 2)])
        case .failed?: throw Problem(.mediaFailed, job?.error ?? "The video cannot be read.", field: field)
        case .ready?, nil: break
        }
        (post.mediaURL, post.media) = (media.path, media.id)
        if post.thumbnailURL == nil { (post.thumbnailURL, post.thumbnail) = (job?.posterPath, job?.poster) }
        post.attributes.merge(job?.properties?.attributes ?? [:]) { $1 }
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
