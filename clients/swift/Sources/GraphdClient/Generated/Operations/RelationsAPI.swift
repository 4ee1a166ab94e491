// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Blocks and mutes.
public struct RelationsAPI: Sendable {
    let client: GraphdClient

    /// List users whom the caller has blocked, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listBlocks(limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "me", "blocks"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listBlocks`, read page by page as a loop asks for them.
    public func allBlocks(pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listBlocks(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List users whom the caller has muted, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listMutes(limit: Int? = nil, cursor: String? = nil) async throws -> MutePage {
        try await client.value(
            Call(
                .get, ["v1", "me", "mutes"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listMutes`, read page by page as a loop asks for them.
    public func allMutes(pageSize: Int? = nil) -> PagedSequence<Mute> {
        PagedSequence {
            let page = try await self.listMutes(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the caller's muted words, newest first.
    public func listMutedWords() async throws -> MutedWordList {
        try await client.value(Call(.get, ["v1", "me", "muted-words"]))
    }

    /// Mute a word or phrase.
    ///
    /// Hides posts by others whose title, caption, category or tags contain the word, in every list except the
    /// author's own, and comments and mentions that contain it. Letter case, accents and lookalike letters make no
    /// difference. A word that is muted already is changed. Applies once acknowledged.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `limitReached`,
    ///   `bodyTooLarge`, `tooLong`, `invalidValue`.
    @discardableResult
    public func muteWord(_ body: NewMutedWord) async throws -> MutedWord {
        try await client.value(Call(.post, ["v1", "me", "muted-words"], body: .json(body)))
    }

    /// Unmute a word.
    ///
    /// Idempotent.
    ///
    /// - Parameter mutedWordId: The id of the muted word.
    public func unmuteWord(mutedWordId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "muted-words", mutedWordId]))
    }

    /// Block a user.
    ///
    /// Idempotent. Once acknowledged, neither user sees posts of the other. Follows, collaborations and invitations
    /// between the two end in both directions. The blocked user is not notified.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfBlock`, `userNotFound`,
    ///   `limitReached`.
    public func block(userId: String) async throws {
        try await client.perform(Call(.put, ["v1", "users", userId, "block"]))
    }

    /// Unblock a user.
    ///
    /// Idempotent. Content that the block hid is visible again; the follows and collaborations that it ended are
    /// not restored.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfBlock`, `userNotFound`.
    public func unblock(userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "users", userId, "block"]))
    }

    /// Mute a user's posts, reshares and notifications.
    ///
    /// Idempotent. Without a body, or with nothing but an end, mutes all three; replaces the former mute. Applies
    /// once acknowledged, until `expiresAt` or for `duration`, if given. The muted user is not notified.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfMute`, `userNotFound`,
    ///   `limitReached`, `bodyTooLarge`, `invalidValue`.
    public func mute(userId: String, _ body: MuteKinds? = nil) async throws {
        try await client.perform(Call(.put, ["v1", "users", userId, "mute"], body: .optional(body)))
    }

    /// End a mute.
    ///
    /// Idempotent.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfMute`, `userNotFound`.
    public func unmute(userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "users", userId, "mute"]))
    }
}
