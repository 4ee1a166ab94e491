@testable import Discovery
@testable import SocialGraph

extension EveryOperation {
    /// Segments and transcripts.
    static func divide(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        let segments = [NewSegment(label: "a", start: 0, end: 5), NewSegment(label: "b", start: 5, end: 9)]
        try await graph.segments.replaceSegments(of: post, by: ann, with: segments)
        try await graph.segments.replaceSegments(of: post, by: ann, with: segments.reversed())
        try await graph.segments.replaceTranscript(of: post, by: ann, with: "WEBVTT")
        _ = try await graph.segments.segmentation(of: post)
        _ = try await graph.segments.ownSegmentations(of: ann, below: nil, limit: 5)
    }
}
