import MediaJobs
import SocialGraph
import Timeline

/// Publishes, edits and deletes posts, for `/v1` and the product APIs alike.
package struct PostingService: Sendable {
    let graph: GraphStore
    let media: MediaReferences
    let visibility: PostVisibilityCheck

    package init(graph: GraphStore, media: MediaReferences, visibility: PostVisibilityCheck) {
        self.graph = graph
        self.media = media
        self.visibility = visibility
    }

    /// Publishes a post. URLs of this server's files in it become references to them.
    ///
    /// - Throws: as ``MediaReferences/resolved(_:)``; the errors of the graph.
    package func publish(_ post: NewPost) async throws -> Post {
        try await graph.posts.publish(try await media.resolved(post))
    }

    /// Publishes a post with files that were just uploaded. Attributes that the author has given stay.
    package func publish(_ post: NewPost, of upload: Upload) async throws -> Post {
        var post = post
        (post.mediaURL, post.media) = (upload.file.path, upload.file.id)
        (post.thumbnailURL, post.thumbnail) = (upload.thumbnail?.path, upload.thumbnail?.id)
        post.attributes.merge(upload.properties?.attributes ?? [:]) { given, _ in given }
        return try await graph.posts.publish(post)
    }

    /// - Throws: `Problem` `invalid_url` for a thumbnail that is not the author's; `GraphError.notAuthor`, or
    ///   `.postNotFound` to those who may not see the post.
    package func edit(_ post: PostID, by author: UserID, _ change: PostChange) async throws -> Post {
        var change = change
        if case .set(let url)? = change.thumbnailURL,
            let file = try await media.file(at: url, of: author, field: "thumbnailUrl")
        {
            (change.thumbnailURL, change.thumbnail) = (.set(file.path), file.id)
        }
        return try await visibility.hidingUnseen(post, from: author) { [change] in
            try await graph.posts.editPost(post, by: author, change)
        }
    }

    /// - Throws: `GraphError.notAuthor`, or `.postNotFound` to those who may not see the post.
    package func delete(_ post: PostID, by author: UserID) async throws {
        try await visibility.hidingUnseen(post, from: author) { try await graph.posts.deletePost(post, by: author) }
    }
}
