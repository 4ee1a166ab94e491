import Database
import Foundation
import NIOCore
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.process))
struct MediaSweeperTests {
    private static let day: Int64 = 24 * 3_600_000

    private func sweep(
        _ fixture: MediaFixture, afterMilliseconds time: Int64,
        requireCurrent: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        let sweeper = MediaSweeper(
            store: fixture.store, graph: fixture.graph, logger: .silent, requireCurrent: requireCurrent,
            now: { SystemClock.milliseconds() + time })
        try await sweeper.sweep()
    }

    @Test func `what nothing shows goes after a day with its row`() async throws {
        try await MediaFixture.with { fixture in
            let (graph, ann) = (fixture.graph, fixture.ann)
            var kept: [Media] = []
            for _ in 0..<4 { kept.append(try await fixture.keep(SampleFile.mp4(), by: ann)) }
            let unused = try await fixture.keep(SampleFile.mp4(), by: ann)
            let shown = NewPost(author: ann.id, caption: "", mediaURL: "m")
            _ = try await fixture.post(kept[0], shown)
            _ = try await fixture.post(kept[1], asThumbnail: true, shown)
            let deleted = try await fixture.post(kept[2], shown)
            _ = try await graph.database.write { [picture = kept[3]] transaction in
                try transaction.execute(
                    "UPDATE account SET picture_id = ?2 WHERE id = ?1", [.user(ann.id), .media(picture.id)])
            }
            try await sweep(fixture, afterMilliseconds: Self.day - 60_000)
            #expect(try fixture.files().count == 5)
            try await sweep(fixture, afterMilliseconds: Self.day + 1_000)
            #expect(try await graph.media.media(unused.id) == nil)
            #expect(try fixture.files().count == 4)

            try await graph.posts.deletePost(deleted, by: ann.id)
            try await sweep(fixture, afterMilliseconds: Self.day + 1_000)
            #expect(try await graph.media.media(kept.remove(at: 2).id) == nil)
            let names = Set(try fixture.files().map { ($0 as NSString).lastPathComponent })
            #expect(names == Set(kept.map(\.fileName)))
            #expect(try await fixture.rows() == 3)
        }
    }

    @Test func `files without a row go and strangers stay`() async throws {
        try await MediaFixture.with { fixture in
            let media = try await fixture.keep(SampleFile.mp4(), by: fixture.ann)
            let folder = fixture.directory.place(of: media.id, named: media.fileName).folder
            for name in ["17.mp4", "\(media.id.rawValue).jpg", "notes.txt"] {
                try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
            }
            // A recent file may be an upload in progress, also one of another process.
            try await sweep(fixture, afterMilliseconds: 3_600_000 - 60_000)
            #expect(try fixture.files().count == 3)
            // So may any file of a node whose database is not the present one.
            await #expect(throws: CancellationError.self) {
                try await sweep(fixture, afterMilliseconds: 3_600_000 + 1_000) { throw CancellationError() }
            }
            #expect(try fixture.files().count == 3)
            try await sweep(fixture, afterMilliseconds: 3_600_000 + 1_000)
            let names = Set(try fixture.files().map { ($0 as NSString).lastPathComponent })
            #expect(names == [media.fileName, "notes.txt"])
        }
    }

    @Test func `files of an emptied or exchanged database stay`() async throws {
        let path = try makeTemporaryDirectory("files")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = MediaDirectory(at: path)
        var settings = MediaFixture.Settings()
        settings.storage = { graph, work in
            DirectoryStorage(directory: directory, work: work) { try await MediaPlace.graphName(in: graph) }
        }
        var media: Media?
        try await MediaFixture.with(settings) { fixture in
            media = try await fixture.keep(SampleFile.mp4(), by: fixture.ann)
            try await sweep(fixture, afterMilliseconds: 2 * 3_600_000)
        }
        let kept = try #require(media)
        try await MediaFixture.with(settings) { other in
            // The database may be a copy, in which files have rows.
            let unused = try await other.keep(SampleFile.mp4(), by: other.ann)
            for time: Int64 in [2 * 3_600_000, 2 * Self.day] {
                let failure = await #expect(throws: ForeignDirectory.self) {
                    try await sweep(other, afterMilliseconds: time)
                }
                #expect(try await other.graph.media.media(unused.id) != nil)
                await #expect(throws: ForeignDirectory.self) {
                    try await other.store.remove(unused.id, named: unused.fileName)
                }
                #expect(failure.map { "\($0)" }?.hasSuffix("delete \(path)/graphd-graph") == true)
            }
            let names = [kept, unused].map { "\(MediaDirectory.folder(of: $0.id))/\($0.fileName)" }
            #expect(try fileNames(below: path) == Set(names + ["graphd-graph"]))
            // One that cannot be read is not taken for a missing one.
            try FileManager.default.removeItem(atPath: directory.ownerFile)
            try FileManager.default.createDirectory(atPath: directory.ownerFile, withIntermediateDirectories: false)
            await #expect(throws: FileFailure.self) { try await sweep(other, afterMilliseconds: 2 * 3_600_000) }
            #expect(try fileNames(below: path) == Set(names))
            try FileManager.default.removeItem(atPath: directory.ownerFile)
            try await sweep(other, afterMilliseconds: 2 * 3_600_000)
            #expect(try fileNames(below: path) == [names[1], "graphd-graph"])
        }
    }

    @Test func `of graphs that take a directory at the same time, one has it`() async throws {
        for _ in 0..<20 {
            let path = try makeTemporaryDirectory("files")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let owners = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        do {
                            try await onThread { try MediaDirectory(at: path).confirm("graph \(number)") }
                            return true
                        } catch {
                            #expect(error is ForeignDirectory)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(owners == 1)
            #expect(try fileNames(below: path) == ["graphd-graph"])
        }
    }

    /// Files are in place before their rows are written. The sweep must not take them for leftovers.
    @Test func `uploads under way are not swept away`() async throws {
        try await MediaFixture.with { fixture in
            let uploads = 60
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        for _ in 0..<(uploads / 3) { _ = try await fixture.keep(SampleFile.png(), by: fixture.ann) }
                    }
                }
                let sweeping = Task { while !Task.isCancelled { try await self.sweep(fixture, afterMilliseconds: 0) } }
                try await group.waitForAll()
                sweeping.cancel()
                _ = await sweeping.result
            }
            #expect(try fixture.files().count == uploads)
            #expect(try await fixture.rows() == Int64(uploads))
        }
    }

    @Test func `what was coming in when a process died is gone at the next start`() async throws {
        try await MediaFixture.with { fixture in
            let media = try await fixture.keep(SampleFile.mp4(), by: fixture.ann)
            _ = try await fixture.store.receivePicture(ByteBuffer(bytes: SampleFile.png()), field: "file", for: .server)
            #expect(try fixture.files().count == 2)
            _ = try Spool(in: fixture.directory.path)
            #expect(try fixture.files().map { ($0 as NSString).lastPathComponent } == [media.fileName])
        }
    }
}
