// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Segments and transcripts of videos.
public struct SegmentsAPI: Sendable {
    let client: GraphdClient

    /// Get the table of contents of a video.
    ///
    /// Ordered by start. If a video has no segments but a transcript, the entries are passages of the transcript,
    /// divided by topic, pauses and cue words, and labelled by their key phrases (`derived`).
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func list(postId: String) async throws -> SegmentList {
        try await client.value(Call(.get, ["v1", "posts", postId, "segments"]))
    }

    /// Set the segments of a video.
    ///
    /// For the author and accepted collaborators. Replaces the former segments; an empty array removes them. A
    /// segment keeps its id if label and times are unchanged, otherwise the id passes to the next segment with the
    /// same label. Segments may overlap, and labels may repeat.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`,
    ///   `bodyTooLarge`, `tooMany`, `tooLong`, `invalidValue`.
    @discardableResult
    public func replace(postId: String, _ body: [NewSegment]) async throws -> SegmentList {
        try await client.value(Call(.put, ["v1", "posts", postId, "segments"], body: .json(body)))
    }

    /// Get the transcript of a video.
    ///
    /// Returns cues in JSON, or a file in either format.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `transcriptNotFound`,
    ///   `postNotFound`.
    public func transcript(postId: String) async throws -> Transcript {
        try await client.value(Call(.get, ["v1", "posts", postId, "transcript"]))
    }

    /// Upload the transcript of a video.
    ///
    /// For the author and accepted collaborators, and for a program of the operator's with a service token whose
    /// scope is `transcripts:write`. Markup and blocks that are not cues are dropped. At most 20,000 cues of at
    /// most 100,000 bytes of text each. A video without segments is divided into passages of its transcript.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidTranscript`,
    ///   `notAuthor`, `postNotFound`, `bodyTooLarge`, `unsupportedMediaType`, `invalidValue`.
    public func replaceTranscript(postId: String, _ body: NewTranscript) async throws {
        try await client.perform(Call(.put, ["v1", "posts", postId, "transcript"], body: .json(body)))
    }

    /// Delete the transcript of a video.
    ///
    /// For the author and accepted collaborators. Idempotent.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`.
    public func deleteTranscript(postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId, "transcript"]))
    }

    /// Find a part of a video by a command.
    ///
    /// The command is natural language. It may give a label (`show warm-up`), something that is said (`how to
    /// blanch vegetables`), an order (`the second set`, `next`), another part (`skip intro` jumps to the end of the
    /// intro) or a time (`last five minutes`, `3:20`). Commands that depend on the current position (`go back 10
    /// seconds`) need `at`.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `noSuchPart`, `postNotFound`,
    ///   `bodyTooLarge`, `tooLong`, `invalidValue`.
    @discardableResult
    public func jump(postId: String, _ body: JumpCommand) async throws -> VideoPlace {
        try await client.value(Call(.post, ["v1", "posts", postId, "jump"], body: .json(body)))
    }
}
