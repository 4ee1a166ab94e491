// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Saved posts and collections.
public struct SavesAPI: Sendable {
    let client: GraphdClient

    /// Save a post.
    ///
    /// Idempotent. Saved posts are visible only to the caller.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    @discardableResult
    public func save(postId: String) async throws -> SavedPost {
        try await client.value(Call(.put, ["v1", "posts", postId, "save"]))
    }

    /// Remove a saved post.
    ///
    /// Idempotent.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func unsave(postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId, "save"]))
    }

    /// List the caller’s saved posts, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func list(limit: Int? = nil, cursor: String? = nil) async throws -> SavePage {
        try await client.value(
            Call(
                .get, ["v1", "me", "saves"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `list`, read page by page as a loop asks for them.
    public func all(pageSize: Int? = nil) -> PagedSequence<SavedItem> {
        PagedSequence {
            let page = try await self.list(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the caller’s collections, newest first.
    public func listCollections() async throws -> CollectionList {
        try await client.value(Call(.get, ["v1", "me", "collections"]))
    }

    /// Create a collection.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNameTaken`,
    ///   `limitReached`, `bodyTooLarge`, `tooLong`, `invalidValue`, `idempotencyKeyReused`.
    @discardableResult
    public func createCollection(_ body: NewCollection, idempotencyKey: String? = nil) async throws -> PostCollection {
        try await client.value(
            Call(.post, ["v1", "me", "collections"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a collection.
    ///
    /// - Parameter collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///   answered with 404.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`.
    public func collection(collectionId: String) async throws -> PostCollection {
        try await client.value(Call(.get, ["v1", "me", "collections", collectionId]))
    }

    /// Rename a collection.
    ///
    /// - Parameter collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///   answered with 404.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`,
    ///   `collectionNameTaken`, `bodyTooLarge`, `tooLong`, `invalidValue`.
    @discardableResult
    public func renameCollection(collectionId: String, _ body: NewCollection) async throws -> PostCollection {
        try await client.value(Call(.patch, ["v1", "me", "collections", collectionId], body: .json(body)))
    }

    /// Delete a collection.
    ///
    /// - Parameter collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///   answered with 404.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`.
    public func deleteCollection(collectionId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "collections", collectionId]))
    }

    /// List posts of a collection, in its order.
    ///
    /// - Parameters:
    ///   - collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///     answered with 404.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `collectionNotFound`.
    public func listCollectionPosts(collectionId: String, limit: Int? = nil, cursor: String? = nil) async throws
        -> PostPage
    {
        try await client.value(
            Call(
                .get, ["v1", "me", "collections", collectionId, "posts"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listCollectionPosts`, read page by page as a loop asks for them.
    public func allCollectionPosts(collectionId: String, pageSize: Int? = nil) -> PagedSequence<Post> {
        PagedSequence {
            let page = try await self.listCollectionPosts(collectionId: collectionId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Add a post to a collection.
    ///
    /// Idempotent.
    ///
    /// - Parameters:
    ///   - collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///     answered with 404.
    ///   - postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`,
    ///   `postNotFound`, `limitReached`.
    public func addToCollection(collectionId: String, postId: String) async throws {
        try await client.perform(Call(.put, ["v1", "me", "collections", collectionId, "posts", postId]))
    }

    /// Remove a post from a collection.
    ///
    /// Idempotent.
    ///
    /// - Parameters:
    ///   - collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///     answered with 404.
    ///   - postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`,
    ///   `postNotFound`.
    public func removeFromCollection(collectionId: String, postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "collections", collectionId, "posts", postId]))
    }

    /// Reorder a collection.
    ///
    /// - Parameter collectionId: The id of the collection. A malformed id, or that of another user's collection, is
    ///   answered with 404.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `collectionNotFound`,
    ///   `bodyTooLarge`, `notInCollection`, `tooMany`, `invalidValue`.
    public func orderCollection(collectionId: String, _ body: CollectionOrder) async throws {
        try await client.perform(Call(.put, ["v1", "me", "collections", collectionId, "order"], body: .json(body)))
    }
}
