import Database
import SocialGraph
import TestSupport

@testable import MediaJobs

extension EveryOperation {
    /// Jobs that examine videos.
    static func examineVideos(on graph: GraphStore, _ ann: UserID) async throws {
        let jobs = graph.mediaJobs
        let properties = VideoProperties(duration: 1, width: 2, height: 2, codec: "h264")
        func file() async throws -> NewMedia {
            let id = try await graph.media.reserveMediaIDs(1)[0]
            return NewMedia(id: id, contentType: "video/mp4", fileName: "\(id.rawValue).mp4", bytes: 1, sha256: [1])
        }
        _ = try await jobs.store([file()], by: ann, within: nil, .ready(properties))
        let video = try await jobs.store([file()], by: ann, within: nil, .queued)[0].id
        _ = try await jobs.backlog()
        let time = Int64.max / 2
        for outcome in [
            MediaJobOutcome.released, .retry(at: 1), .failed("f"), .ready(properties, poster: try await file()),
        ] {
            _ = try await jobs.hasDue(since: time)
            if try await jobs.backlog() == 0 { _ = try await jobs.store([file()], by: ann, within: nil, .queued) }
            for job in try await jobs.take(limit: 5, dueSince: time, lease: 0, by: 1) {
                _ = try await jobs.finish(job, outcome)
            }
        }
        _ = try await jobs.store([file()], by: ann, within: nil, .queued)
        _ = try await jobs.take(limit: 5, dueSince: time, lease: 0, by: 1)
        try await jobs.free(from: 1)
        _ = try await jobs.job(of: video)
        _ = try await graph.renditions.put(
            Rendition(
                name: "n", url: "https://a.example/", contentType: "video/mp4", width: 1, height: 1, bitrate: 1),
            of: video)
        try await graph.renditions.remove("n", of: video)
        _ = try await graph.media.deleteMedia(video)
    }
}
