@testable import SocialGraph

extension EveryOperation {
    /// Segments and transcripts.
    static func divide(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        let segments = [NewSegment(label: "a", start: 0, end: 5), NewSegment(label: "b", start: 5, end: 9)]
        try await graph.replaceSegments(of: post, by: ann, with: segments)
        try await graph.replaceSegments(of: post, by: ann, with: segments.reversed())
        try await graph.replaceTranscript(of: post, by: ann, with: "WEBVTT")
        _ = try await graph.segmentation(of: post)
        _ = try await graph.ownSegmentations(of: ann, below: nil, limit: 5)
    }
}
