import Database
import SocialGraph
import TestSupport
import Testing

@testable import MediaJobs

/// The queue of jobs, on whichever engine the tests run.
@Suite(.timeLimit(.unit))
struct MediaJobStoreTests {
    private static let video = VideoProperties(duration: 2.5, width: 640, height: 360, codec: "h264")
    private static let lease: Int64 = 60_000

    private func newFile(_ graph: GraphStore, _ type: String = "mp4") async throws -> NewMedia {
        let id = try await graph.media.reserveMediaIDs(1)[0]
        return NewMedia(
            id: id, contentType: "video/mp4", fileName: "\(id.rawValue).\(type)", bytes: 9, sha256: [1])
    }

    @discardableResult
    private func upload(_ graph: GraphStore, by owner: UserID, _ job: NewMediaJob = .queued) async throws -> MediaID {
        try await graph.mediaJobs.store([try await newFile(graph)], by: owner, within: nil, job)[0].id
    }

    private func take(
        _ fixture: GraphFixture, limit: Int = 10, by worker: Int64 = 1
    ) async throws -> [TakenMediaJob] {
        try await fixture.graph.mediaJobs.take(
            limit: limit, dueSince: fixture.clock.now, lease: Self.lease, by: worker)
    }

    @Test
    func `a job is taken by one worker until its time is over`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            #expect(try await !graph.mediaJobs.hasDue(since: fixture.clock.now))
            let video = try await upload(graph, by: ann)
            #expect(try await graph.mediaJobs.job(of: video)?.state == .queued)
            #expect(try await graph.mediaJobs.hasDue(since: fixture.clock.now))
            let first = try #require(try await take(fixture).first)
            #expect(first.media.id == video && first.attempts == 1 && !first.hasPoster)
            #expect(try await graph.mediaJobs.job(of: video)?.state == .running)
            #expect(try await take(fixture, by: 2).isEmpty)
            fixture.clock.advance(by: Self.lease)
            let second = try #require(try await take(fixture, by: 2).first)
            #expect(second.attempts == 2)
            #expect(try await !graph.mediaJobs.finish(first, .failed("late")), "the job is another worker's by now")
            #expect(try await graph.mediaJobs.finish(second, .ready(Self.video, poster: nil)))
            let job = try #require(try await graph.mediaJobs.job(of: video))
            #expect(job.state == .ready && job.properties == Self.video && job.error == nil)
            #expect(try await graph.mediaJobs.backlog() == 0)
            #expect(try await !graph.mediaJobs.finish(second, .failed("again")))
        }
    }

    @Test
    func `two workers never take the same job`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            for _ in 0..<20 { try await upload(fixture.graph, by: ann) }
            let taken = try await withThrowingTaskGroup(of: [MediaID].self) { group in
                for worker in 1...4 {
                    group.addTask { try await take(fixture, limit: 8, by: Int64(worker)).map(\.media.id) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(taken.count == 20 && Set(taken).count == 20)
        }
    }

    @Test
    func `the poster commits with the end of the job, and is no upload of its own`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let video = try await upload(graph, by: ann)
            let job = try #require(try await take(fixture).first)
            let poster = try await newFile(graph, "jpg")
            #expect(try await graph.mediaJobs.finish(job, .ready(Self.video, poster: poster)))
            let found = try #require(try await graph.mediaJobs.job(of: video))
            #expect(found.poster == poster.id && found.posterPath == "/media/\(poster.fileName)")
            #expect(try await graph.media.media(poster.id)?.owner == ann)
            #expect(try await graph.media.mediaUsage(of: ann) == MediaUsage(bytes: 18, files: 2))
            #expect(try await fixture.integer("SELECT COUNT(*) FROM media WHERE stored_id IS NOT NULL") == 1)
        }
    }

    @Test
    func `an attempt is repeated, given back, or the last`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let video = try await upload(graph, by: ann)
            let first = try #require(try await take(fixture).first)
            #expect(try await graph.mediaJobs.finish(first, .retry(at: fixture.clock.now + 5_000)))
            #expect(try await take(fixture).isEmpty)
            fixture.clock.advance(by: 5_000)
            let second = try #require(try await take(fixture).first)
            #expect(second.attempts == 2)
            #expect(try await graph.mediaJobs.finish(second, .released))
            let third = try #require(try await take(fixture).first)
            #expect(third.attempts == 2)
            #expect(try await graph.mediaJobs.finish(third, .failed("No video.")))
            let job = try #require(try await graph.mediaJobs.job(of: video))
            #expect(job.state == .failed && job.error == "No video." && job.properties == nil)
            #expect(try await take(fixture).isEmpty)
        }
    }

    @Test
    func `jobs of a dead process are due at once, those of other nodes are not`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let videos = [try await upload(graph, by: ann), try await upload(graph, by: ann)]
            #expect(try await take(fixture, limit: 1, by: 1).map(\.media.id) == [videos[0]])
            #expect(try await take(fixture, limit: 1, by: 2).map(\.media.id) == [videos[1]])
            try await graph.mediaJobs.free(from: 1)
            let again = try await take(fixture, by: 1)
            #expect(again.map(\.media.id) == [videos[0]] && again[0].attempts == 2)
        }
    }

    @Test
    func `many uploads of one user do not keep another's waiting`() async throws {
        try await withGraph { fixture in
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            var videos: [MediaID] = []
            for _ in 0..<5 { videos.append(try await upload(fixture.graph, by: ann)) }
            let other = try await upload(fixture.graph, by: bob)
            #expect(try await take(fixture, limit: 3).map(\.media.id) == [videos[0], other, videos[1]])
        }
    }

    @Test
    func `a file goes with its job, and a poster without it`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let files = [try await newFile(graph), try await newFile(graph, "jpg")]
            let stored = try await graph.mediaJobs.store(files, by: ann, within: nil, .ready(Self.video))
            #expect(try await graph.mediaJobs.job(of: stored[0].id)?.poster == stored[1].id)
            #expect(try await graph.media.deleteMedia(stored[1].id))
            #expect(try await graph.mediaJobs.job(of: stored[0].id)?.poster == nil)
            #expect(try await graph.media.deleteMedia(stored[0].id))
            #expect(try await graph.mediaJobs.job(of: stored[0].id) == nil)
            try await upload(graph, by: ann)
            let running = try #require(try await take(fixture).first)
            #expect(try await graph.media.deleteMedia(running.media.id))
            #expect(try await !graph.mediaJobs.finish(running, .ready(Self.video, poster: try await newFile(graph))))
            #expect(try await fixture.integer("SELECT COUNT(*) FROM media") == 0)
        }
    }

    @Test
    func `the jobs of a deleted account are erased`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            try await upload(graph, by: ann)
            try await upload(graph, by: ann, .ready(nil))
            let job = try #require(try await take(fixture).first)
            try await graph.erasures.deleteAccount(ann)
            let poster = try await newFile(graph)
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.mediaJobs.finish(job, .ready(Self.video, poster: poster))
            }
            while try await graph.erasures.eraseSome(of: ann) == .removed {}
            #expect(try await fixture.integer("SELECT COUNT(*) FROM media_job") == 0)
        }
    }
}
