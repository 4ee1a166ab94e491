import Database
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

/// Failures during an upload: the client gets an error, and no file or row is left.
@Suite(.timeLimit(.process))
struct StorageFailureTests {
    /// A disk that accepts `room` bytes and then fails for ever.
    private static func disk(_ room: Int, _ number: Int32) -> Spool.Write {
        let left = Disk(room)
        return { descriptor, bytes, count in
            guard left.take(count) else {
                errno = number
                return -1
            }
            return Foundation.write(descriptor, bytes, count)
        }
    }

    private final class Disk: Sendable {
        private let room: Mutex<Int>
        init(_ room: Int) { self.room = Mutex(room) }
        func take(_ count: Int) -> Bool {
            room.withLock { room in
                room -= count
                return room >= 0
            }
        }
    }

    private static let form = {
        var form = FormText()
        form.add("file", file: SampleFile.mp4(bytes: 700_000))
        form.add("thumbnail", file: SampleFile.jpeg(bytes: 300_000))
        return form
    }()

    @Test func `a file that other nodes could not read is refused and nothing is left`() async throws {
        var settings = MediaFixture.Settings()
        settings.isShared = false
        try await MediaFixture.with(settings) { fixture in
            let answer = try await fixture.upload(Self.form)
            #expect(answer.status == .serviceUnavailable)
            #expect(String(buffer: answer.body).contains("media_not_shared"))
            #expect(try await fixture.rows() == 0)
            #expect(try fixture.files().isEmpty)
        }
    }

    @Test(arguments: [0, 300_000, 700_000, 950_000], [(ENOSPC, 507), (EDQUOT, 507), (EIO, 503)])
    func `a disk that fails is answered and nothing is left`(room: Int, failure: (number: Int32, status: Int))
        async throws
    {
        try await MediaFixture.with(.init(write: Self.disk(room, failure.number))) { fixture in
            try await fixture.application.test(.router) { client in
                let answer = try await client.upload(Self.form, as: fixture.ann)
                #expect(answer.status.code == failure.status, "\(String(buffer: answer.body))")
                #expect(answer.code == (failure.status == 507 ? "insufficient_storage" : "unavailable"))
                #expect(answer.headers[.connection] == "close")
            }
            #expect(try fixture.files() == [])
            #expect(try await fixture.rows() == 0)
        }
    }

    @Test func `a disk that takes few bytes at a time is written to the end`() async throws {
        let bytes = SampleFile.mp4(bytes: 50_000)
        try await MediaFixture.with(.init(write: { Foundation.write($0, $1, min($2, 1_000)) })) { fixture in
            let media = try await fixture.keep(bytes, by: fixture.ann)
            var stored: [UInt8] = []
            let content = try await fixture.store.open(media, 0..<media.bytes, for: .server)
            try await content.forEachPiece { stored += $0.readableBytesView }
            #expect(stored == bytes)
        }
    }

    @Test func `a row that cannot be written leaves no file`() async throws {
        try await MediaFixture.with { fixture in
            let file = try await fixture.store.receivePicture(
                ByteBuffer(bytes: SampleFile.png()), field: "file", for: .server)
            #expect(try fixture.files().count == 1)
            await #expect(throws: GraphError.accountNotFound) {
                _ = try await fixture.store.keep([file], by: UserID(rawValue: 1))
            }
            #expect(try fixture.files() == [])
        }
    }

    @Test func `a place that cannot be made leaves no file and no row`() async throws {
        try await MediaFixture.with { fixture in
            let file = try await fixture.store.receivePicture(
                ByteBuffer(bytes: SampleFile.png()), field: "file", for: .server)
            // Every possible folder of the file is itself a file.
            for number in 0..<256 {
                let folder = fixture.directory.place(of: MediaID(rawValue: Int64(number) << 12), named: "").folder
                try Data().write(to: URL(fileURLWithPath: folder))
            }
            let error = await #expect(throws: Problem.self) {
                _ = try await fixture.store.keep([file], by: fixture.ann.id)
            }
            #expect(error?.code == .unavailable)
            #expect(try fixture.files().filter { $0.hasPrefix("incoming") } == [])
            #expect(try await fixture.rows() == 0)
        }
    }

    @Test func `a file that is gone or cut short is not served`() async throws {
        try await MediaFixture.with { fixture in
            let media = try await fixture.keep(SampleFile.mp4(), by: fixture.ann)
            let path = fixture.directory.place(of: media.id, named: media.fileName).path
            try await fixture.application.test(.router) { client in
                let whole = try await client.file(media.path, as: fixture.ann)
                #expect(whole.status == .ok)
                #expect(truncate(path, 10) == 0)
                let short = try await client.file(media.path, as: fixture.ann)
                #expect(short.code == "media_not_found")
                #expect(unlink(path) == 0)
                let missing = try await client.file(media.path, as: fixture.ann)
                #expect(missing.code == "media_not_found")
            }
        }
    }
}
