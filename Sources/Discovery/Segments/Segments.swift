import SocialGraph

/// Segments and transcripts of videos, and what a command to jump means in them. Whether a user may see a post is asked
/// before: this answers for everybody.
package struct Segments: Sendable {
    private let graph: GraphStore
    private let matcher = SegmentMatcher()
    private let cache = SegmentIndexCache(capacity: DiscoveryLimits.cuesInMemory)

    package init(graph: GraphStore) { self.graph = graph }

    /// Puts `segments` in the place of those that the post has. Throws as ``GraphStore/replaceSegments(of:by:with:)``.
    package func replaceSegments(
        of post: PostID, by user: UserID, with segments: [NewSegment]
    ) async throws -> [VideoSegment] {
        try await graph.replaceSegments(of: post, by: user, with: segments)
    }

    /// Puts `transcript` in the place of the one that the post has; nil takes it away. Throws as
    /// ``GraphStore/replaceTranscript(of:by:with:)``.
    package func replaceTranscript(of post: PostID, by user: UserID, with transcript: Transcript?) async throws {
        try await graph.replaceTranscript(of: post, by: user, with: transcript?.text(as: .webVTT))
    }

    /// The labelled segments, by start.
    package func segments(of post: PostID) async throws -> [VideoSegment] {
        try await graph.segmentation(of: post).segmentation?.segments ?? []
    }

    /// Nil if there is none.
    package func transcript(of post: PostID) async throws -> Transcript? {
        try await graph.segmentation(of: post).segmentation?.transcript.map(Transcript.init(stored:))
    }

    /// The table of contents: the labelled segments, else passages of the transcript.
    package func contents(of post: PostID) async throws -> Contents {
        Contents(try await video(post).index)
    }

    /// Where `command`, in natural language, leads to in the video of `post`; nil if there is no such part. `position`:
    /// where the video plays now, in milliseconds. Of a segmentation that was read before, only the version is read.
    package func find(_ command: String, in post: PostID, at position: Int64? = nil) async throws -> VideoPlace? {
        let (index, reading) = try await video(post)
        return matcher.place(
            for: command, in: index, title: reading.title, duration: reading.duration, position: position)
    }

    private func video(_ post: PostID) async throws -> (index: SegmentIndex, reading: SegmentationReading) {
        let known = cache.entry(of: post)
        let reading = try await graph.segmentation(of: post, known: known?.version)
        guard let version = reading.version else { return (.empty, reading) }
        if let known, known.version == version { return (known.index, reading) }
        let segmentation = reading.segmentation ?? .empty
        let index = SegmentIndex(
            segments: segmentation.segments, transcript: try segmentation.transcript.map(Transcript.init(stored:)))
        cache.keep(index, of: post, version: version)
        return (index, reading)
    }
}

extension Transcript {
    /// Reads what ``Segments/replaceTranscript(of:by:with:)`` has written.
    fileprivate init(stored text: String) throws {
        do {
            try self.init(text, as: .webVTT)
        } catch let error as TimedTextError {
            throw GraphError.storage(detail: "stored transcript: \(error.detail)")
        }
    }
}
