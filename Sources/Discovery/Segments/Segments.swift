import Database
import SocialGraph

/// Segments and transcripts of videos, and the commands that jump within them. Visibility is checked by the caller:
/// these methods answer for any user.
package struct Segments: Sendable {
    /// Capacity in bytes of the cache of indices that are ready for matching.
    static let indexBytes = 100_000_000
    /// Made for the first command: its thesaurus takes some milliseconds to read.
    private static let matcher = SegmentMatcher()

    private let graph: GraphStore
    private let cache = SegmentIndexCache(capacity: Segments.indexBytes)

    private let threads: any WorkThreads

    /// - Parameter threads: threads that read, write, index and search transcripts: linear work, but on up to a
    ///   mebibyte.
    package init(graph: GraphStore, threads: any WorkThreads) {
        self.graph = graph
        self.threads = threads
    }

    /// Parses `bytes` as a transcript. Throws ``TimedTextError`` and the errors of ``WorkThreads``.
    package func read(_ bytes: [UInt8], as format: TimedTextFormat, for user: UserID) async throws -> Transcript {
        try await threads.run(for: user) { try Transcript(bytes, as: format, isCancelled: $0) }
    }

    /// Replaces the segments of the post with `segments`. Throws the errors of
    /// ``SegmentStore/replaceSegments(of:by:with:)``.
    package func replaceSegments(
        of post: PostID, by user: UserID, with segments: [NewSegment]
    ) async throws -> [VideoSegment] {
        try await graph.segments.replaceSegments(of: post, by: user, with: segments)
    }

    /// Replaces the transcript of the post with `transcript`; nil removes it. Throws the errors of
    /// ``SegmentStore/replaceTranscript(of:by:with:)``.
    package func replaceTranscript(of post: PostID, by user: UserID, with transcript: Transcript?) async throws {
        guard let transcript else { return try await graph.segments.replaceTranscript(of: post, by: user, with: nil) }
        let text = try await threads.run(for: user) { _ in transcript.text(as: .webVTT) }
        try await graph.segments.replaceTranscript(of: post, by: user, with: text)
    }

    /// Returns the labelled segments of each of `posts`, by start.
    package func segments(of posts: [PostID]) async throws -> [[VideoSegment]] {
        try await graph.segments.segments(of: posts)
    }

    /// Returns the transcript; nil if there is none.
    package func transcript(of post: PostID, for user: UserID) async throws -> Transcript? {
        guard let stored = try await graph.segments.segmentation(of: post).segmentation?.transcript else { return nil }
        return try await threads.run(for: user) { try Transcript(stored: stored, isCancelled: $0) }
    }

    /// Returns the transcript as a file of `format`; nil if there is none.
    package func transcriptFile(
        of post: PostID, as format: TimedTextFormat, for user: UserID
    ) async throws -> String? {
        guard let stored = try await graph.segments.segmentation(of: post).segmentation?.transcript else { return nil }
        return try await threads.run(for: user) { try Transcript(stored: stored, isCancelled: $0).text(as: format) }
    }

    /// Returns the table of contents: the labelled segments, or else passages of the transcript.
    package func contents(of post: PostID, for user: UserID) async throws -> Contents {
        Contents(try await video(post, for: user).index)
    }

    /// Returns the place that `command`, in natural language, leads to in the video of `post`; nil if there is no such
    /// part. `position`: current position of playback in milliseconds. For a cached segmentation, only the version is
    /// read. Throws the errors of ``WorkThreads``.
    package func find(
        _ command: String, in post: PostID, at position: Int64? = nil, for user: UserID
    ) async throws -> VideoPlace? {
        let (index, reading) = try await video(post, for: user)
        return try await threads.run(for: user) { _ in
            Self.matcher.place(
                for: command, in: index, title: reading.title, duration: reading.duration, position: position)
        }
    }

    private func video(
        _ post: PostID, for user: UserID
    ) async throws -> (index: SegmentIndex, reading: SegmentationReading) {
        let known = cache.entry(of: post)
        let reading = try await graph.segments.segmentation(of: post, known: known?.version)
        guard let version = reading.version else { return (.empty, reading) }
        if let known, known.version == version { return (known.index, reading) }
        let segmentation = reading.segmentation ?? .empty
        let index = try await threads.run(for: user) { isCancelled in
            let transcript = try segmentation.transcript.map { try Transcript(stored: $0, isCancelled: isCancelled) }
            return try SegmentIndex(segments: segmentation.segments, transcript: transcript, thesaurus: .standard) {
                if isCancelled() { throw CancellationError() }
            }
        }
        cache.keep(index, of: post, version: version)
        return (index, reading)
    }
}

extension Transcript {
    /// Reads the stored form that ``Segments/replaceTranscript(of:by:with:)`` writes.
    fileprivate init(stored text: String, isCancelled: @escaping () -> Bool) throws {
        var steps = 0
        do {
            // A transcript stored before marks were bounded is shown without the excess marks, and one stored before
            // cues were bounded is shown whole.
            try self.init(
                Array(text.utf8), as: .webVTT, excessMarks: .dropped, steps: &steps, isCancelled: isCancelled)
        } catch let error as TimedTextError {
            throw DatabaseError.undecodable(Transcript.self, error.detail)
        }
    }
}
