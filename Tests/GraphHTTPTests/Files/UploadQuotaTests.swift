import Foundation
import Glibc
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices
@testable import MediaFiles

/// Upload quotas of users, and the free space that uploads leave on a disk.
@Suite(.timeLimit(.process))
struct UploadQuotaTests {
    private static func form(_ bytes: Int) -> FormText {
        var form = FormText()
        form.add("file", file: SampleFile.png(bytes: bytes))
        return form
    }

    @Test func `an upload beyond the quota is refused and leaves nothing`() async throws {
        try await MediaFixture.with(.init(quota: MediaQuota(bytes: 250_000, files: 3))) { fixture in
            for _ in 0..<2 { #expect(try await fixture.upload(Self.form(100_000)).status == .created) }
            let files = try fixture.files()
            let refused = try await fixture.upload(Self.form(60_000))
            #expect(refused.status == .conflict && refused.code == "upload_quota_exceeded")
            #expect(try refused.json["detail"]?.text?.contains("250000 bytes and 3 files") == true)
            #expect(try fixture.files() == files)
            // A refused upload uses no quota.
            #expect(try await fixture.upload(Self.form(50_000)).status == .created)
            #expect(try await fixture.upload(Self.form(100)).code == "upload_quota_exceeded")
            #expect(
                try await fixture.graph.media.mediaUsage(of: fixture.ann.id) == MediaUsage(bytes: 250_000, files: 3))
            try await fixture.application.test(.router) { client in
                let answer = try await client.upload(Self.form(100_000), as: fixture.bob)
                #expect(answer.status == .created)
            }
        }
    }

    @Test func `uploads under way count before their bytes are written`() async throws {
        try await MediaFixture.with(.init(quota: MediaQuota(bytes: 100, files: 10))) { fixture in
            let quota = fixture.store.quota
            var reservations: [UploadQuota.Reservation] = []
            for _ in 0..<3 { reservations.append(try await quota.open(for: fixture.ann.id)) }
            try reservations[0].take(bytes: 60)
            #expect(throws: GraphError.uploadQuotaExceeded(quota.limit)) { try reservations[1].take(bytes: 41) }
            try reservations[1].take(bytes: 40)
            #expect(throws: GraphError.self) { try reservations[2].check(bytes: 1) }
            // Another user has a quota of their own.
            try await quota.open(for: fixture.bob.id).take(bytes: 100)
            // A reservation that ends frees its space for the others.
            reservations.removeFirst()
            try reservations[1].take(bytes: 60)
            reservations.removeAll()
            try await quota.open(for: fixture.ann.id).take(bytes: 100, files: 10)
        }
    }

    @Test func `what is stored meanwhile counts for uploads under way`() async throws {
        let bytes = SampleFile.png(bytes: 600)
        try await MediaFixture.with(.init(quota: MediaQuota(bytes: 1_000, files: 10))) { fixture in
            let quota = fixture.store.quota
            let waiting = try await quota.open(for: fixture.ann.id)
            #expect(try await fixture.upload(Self.form(bytes.count)).status == .created)
            #expect(throws: GraphError.self) { try waiting.take(bytes: 401) }
            try waiting.take(bytes: 400)
        }
    }

    @Test func `concurrent uploads never store more than the quota`() async throws {
        try await MediaFixture.with(.init(quota: MediaQuota(bytes: 1_000_000, files: 1_000))) { fixture in
            let stored = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<24 {
                    group.addTask {
                        (try? await fixture.keep(SampleFile.png(bytes: 150_000), by: fixture.ann)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(stored == 6)
            let files = try fixture.files()
            #expect(
                try await fixture.graph.media.mediaUsage(of: fixture.ann.id) == MediaUsage(bytes: 900_000, files: 6))
            #expect(files.count == 6)
        }
    }

    @Test func `uploads stop at the reserve and go on when there is room`() async throws {
        let free = Mutex<Int64>(1_500_000)
        let space = UploadSpace(reserve: 1_000_000) { free.withLock { $0 } }
        let write: Spool.Write = { descriptor, bytes, count in
            let written = Foundation.write(descriptor, bytes, count)
            free.withLock { $0 -= Int64(written) }
            return written
        }
        try await MediaFixture.with(.init(write: write, space: space)) { fixture in
            #expect(try await fixture.upload(Self.form(300_000)).status == .created)
            // Refused by the declared length before the body is read, or by the bytes received.
            let refused = try await fixture.upload(Self.form(900_000))
            #expect(refused.code == "insufficient_storage" && refused.headers[.retryAfter] == "30")
            await #expect(throws: Problem.self) {
                _ = try await fixture.keep(SampleFile.png(bytes: 900_000), by: fixture.ann)
            }
            #expect(free.withLock { $0 } >= 1_000_000)
            #expect(try fixture.files().count == 1)
            free.withLock { $0 = 5_000_000 }
            #expect(try await fixture.upload(Self.form(900_000)).status == .created)
        }
    }

    @Test func `the level follows the room`() {
        for (free, level) in [
            (100, .ample), (99, .low), (13, .low), (12, .low), (11, .critical), (0, .critical), (nil, .ample),
        ] as [(Int64?, StorageState.Level)] {
            #expect(StorageState.level(free: free, reserve: 100) == level, "\(String(describing: free))")
        }
        #expect(StorageState.level(free: 0, reserve: 0) == .ample)
    }

    @Test(arguments: [
        ("POST", "/v1/posts", true), ("PATCH", "/v1/me", true), ("PUT", "/v1/posts/1/embedding", true),
        ("POST", "/v1/auth/signup", true), ("POST", "/v1/media", true), ("POST", "/fitstream/video/upload", true),
        ("GET", "/v1/posts", false), ("DELETE", "/v1/posts/1", false), ("POST", "/v1/auth/login", false),
        ("POST", "/v1/auth/refresh", false), ("POST", "/reelai/auth/login", false),
        ("POST", "/v1/moderation/actions", false), ("POST", "/v1/search/similar", false),
        ("PUT", "/v1/users/1/block", false),
    ])
    func `only what adds is held up`(method: String, path: String, adds: Bool) throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        #expect(StorageGate.adds(method, path: path) == adds)
    }
}
