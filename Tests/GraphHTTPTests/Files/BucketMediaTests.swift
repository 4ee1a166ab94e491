import Database
import Foundation
import FoundationNetworking
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ObjectStorageTestSupport
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles
@testable import ObjectStorage

/// Files in a bucket, through the routes.
@Suite(.timeLimit(.process))
struct BucketMediaTests {
    /// Limits that a busy machine does not reach.
    static func limits() -> ObjectStoreLimits {
        var limits = ObjectStoreLimits()
        (limits.answer, limits.put, limits.pause) = (.seconds(600), .seconds(600), .seconds(600))
        limits.retryPause = .zero
        limits.attempts = 1
        return limits
    }

    static func bucket(
        _ address: String, limits: ObjectStoreLimits = limits()
    ) -> @Sendable (GraphStore, BoundedWork) async throws -> any FileStorage {
        { graph, work in
            let credentials = try ServiceCredentials(accessKey: StrictS3.accessKey, secretKey: StrictS3.secretKey)
            let store = ObjectStore(try BucketAddress(parsing: address), credentials, limits: limits)
            return MediaBucket(store, of: try await MediaPlace.graphName(in: graph), work: work)
        }
    }

    private static func with(
        _ parameters: String = "", _ body: @escaping @Sendable (MediaFixture, StrictS3) async throws -> Void
    ) async throws {
        try await StrictS3.with { service in
            var settings = MediaFixture.Settings()
            settings.storage = bucket(service.address(prefix: "p", parameters))
            try await MediaFixture.with(settings) { try await body($0, service) }
        }
    }

    private static let form = {
        var form = FormText()
        form.add("file", file: SampleFile.mp4(bytes: 700_000))
        form.add("thumbnail", file: SampleFile.jpeg(bytes: 300_000))
        return form
    }()

    @Test func `an upload is in the bucket under its name, and nothing stays on the disk`() async throws {
        try await Self.with { fixture, service in
            let answer = try await fixture.upload(Self.form)
            #expect(answer.status == .created, "\(String(buffer: answer.body))")
            let path = try #require(answer.headers[.location])
            let media = try #require(PublicURL(configured: nil).media(at: path))
            let row = try #require(try await fixture.graph.media.media(media))
            let key = "p/\(MediaDirectory.folder(of: media))/\(row.fileName)"
            let object = try #require(service.objects[key])
            #expect(object.bytes == SampleFile.mp4(bytes: 700_000) && object.contentType == "video/mp4")
            #expect(object.sha256 == Hexadecimal.encode(row.sha256))
            #expect(service.objects.count == 3 && service.objects["p/\(MediaBucket.ownerName)"] != nil)
            #expect(try fixture.files().isEmpty)
        }
    }

    @Test func `ranges, conditions and HEAD are answered as from a disk`() async throws {
        try await Self.with { fixture, service in
            let bytes = SampleFile.mp4(bytes: 700_001)
            let media = try await fixture.keep(bytes, by: fixture.ann)
            try await fixture.application.test(.router) { client in
                let whole = try await client.file(media.path, as: fixture.ann)
                #expect(whole.status == .ok && Array(whole.body.readableBytesView) == bytes)
                #expect(whole.headers[.contentLength] == "700001" && whole.headers[.contentType] == "video/mp4")
                let part = try await client.file(media.path, as: fixture.ann, [.range: "bytes=5-9"])
                #expect(part.status == .partialContent && Array(part.body.readableBytesView) == Array(bytes[5...9]))
                #expect(part.headers[.contentRange] == "bytes 5-9/700001")
                let none = try await client.file(media.path, as: fixture.ann, [.range: "bytes=700001-"])
                #expect(none.status == .rangeNotSatisfiable)
                let calls = service.calls.count
                let tag = try #require(whole.headers[.eTag])
                #expect(try await client.file(media.path, as: fixture.ann, [.ifNoneMatch: tag]).status == .notModified)
                #expect(try await client.file(media.path, as: fixture.bob).status == .notFound)
                #expect(try await client.file(media.path).status == .notFound)
                #expect(service.calls.count == calls, "who may not see a file costs the service nothing")
                let head = try await client.executeRequest(
                    uri: media.path, method: .head, headers: [.authorization: "Bearer \(fixture.ann.token)"], body: nil)
                #expect(head.status == .ok && head.headers[.contentLength] == "700001")
                #expect(service.calls.last?.hasPrefix("HEAD ") == true)
            }
        }
    }

    @Test func `with signed links, who may see a file is sent to the bucket for a minute`() async throws {
        try await Self.with("&links=signed") { fixture, service in
            let bytes = SampleFile.png()
            let media = try await fixture.keep(bytes, by: fixture.ann)
            try await fixture.application.test(.router) { client in
                let answer = try await client.file(media.path, as: fixture.ann)
                #expect(answer.status == .temporaryRedirect && answer.headers[.cacheControl] == "private, no-store")
                let link = try #require(answer.headers[.location])
                #expect(link.contains("X-Amz-Expires=60") && !link.contains(StrictS3.secretKey))
                let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: link)))
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                #expect(service.objects.values.contains { $0.bytes == Array(data) })
                let (_, other) = try await URLSession.shared.data(
                    from: try #require(URL(string: link.replacing("X-Amz-Expires=60", with: "X-Amz-Expires=61"))))
                #expect((other as? HTTPURLResponse)?.statusCode == 403)
                #expect(try await client.file(media.path, as: fixture.bob).status == .notFound)
            }
        }
    }

    @Test(arguments: [500, 503, 403, 507])
    func `a service that refuses leaves no row, no object and no file`(status: Int) async throws {
        try await Self.with { fixture, service in
            _ = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let before = service.objects
            // The video is stored, and then the thumbnail is not.
            for statuses in [[status], [0, status]] {
                service.fail("PUT", with: statuses)
                let answer = try await fixture.upload(Self.form)
                #expect(answer.status == .serviceUnavailable && answer.code == "unavailable")
                #expect(answer.headers[.retryAfter] == "5")
                #expect(service.objects == before)
            }
            #expect(try await fixture.rows() == 1)
            #expect(try fixture.files().isEmpty)
        }
    }

    @Test func `a service that is gone or silent is answered in time`() async throws {
        let endpoint = try ScriptedEndpoint { connection, _ in connection.waitUntilGone() }
        defer { endpoint.stop() }
        var limits = Self.limits()
        (limits.answer, limits.put) = (.milliseconds(300), .milliseconds(300))
        for address in [endpoint.address, "s3://media?endpoint=http://127.0.0.1:1&region=x"] {
            var settings = MediaFixture.Settings()
            settings.storage = Self.bucket(address, limits: limits)
            try await MediaFixture.with(settings) { fixture in
                let answer = try await fixture.upload(Self.form)
                #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5")
                #expect(try await fixture.rows() == 0)
                #expect(try fixture.files().isEmpty)
                let bucket = try #require(fixture.store.storage as? MediaBucket)
                #expect(bucket.problems.map(\.code) == [.mediaDown])
            }
        }
    }

    @Test func `the sweep removes old objects without a row, and nothing else`() async throws {
        try await Self.with { fixture, service in
            var kept: [Media] = []
            for _ in 0..<5 { kept.append(try await fixture.keep(SampleFile.png(), by: fixture.ann)) }
            service.setKeysAPage(2)
            let id = kept[0].id.rawValue
            let folder = MediaDirectory.folder(of: kept[0].id)
            let strays = ["p/\(folder)/\(id).jpg"]
            let strangers = ["p/\(folder)/notes.txt", "p/17.mp4", "q/\(folder)/\(id).png", "p/zz/\(id).png"]
            service.edit { objects in
                for key in strays + strangers { objects[key] = .init(bytes: [1], contentType: "") }
            }
            func sweep(_ time: Int64) async throws {
                try await MediaSweeper(
                    store: fixture.store, graph: fixture.graph, logger: .silent,
                    now: { SystemClock.milliseconds() + time }
                ).sweep()
            }
            // A recent object may be an upload under way on another node.
            try await sweep(3_600_000 - 60_000)
            #expect(service.objects.count == 5 + 1 + strays.count + strangers.count)
            try await sweep(3_600_000 + 1_000)
            let keys = Set(service.objects.keys)
            #expect(strays.allSatisfy { !keys.contains($0) } && strangers.allSatisfy { keys.contains($0) })
            #expect(keys.count == 5 + 1 + strangers.count)
            // Unused files go after a day, rows first.
            try await sweep(25 * 3_600_000)
            #expect(service.objects.count == 1 + strangers.count)
            #expect(try await fixture.rows() == 0)
        }
    }

    @Test func `another graph neither writes to a bucket nor sweeps it`() async throws {
        try await Self.with { fixture, service in
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            var settings = MediaFixture.Settings()
            settings.storage = Self.bucket(service.address(prefix: "p"))
            try await MediaFixture.with(settings) { other in
                let answer = try await other.upload(Self.form)
                #expect(answer.status == .serviceUnavailable)
                let sweeper = MediaSweeper(
                    store: other.store, graph: other.graph, logger: .silent,
                    now: { SystemClock.milliseconds() + 25 * 3_600_000 })
                await #expect(throws: BucketFailure.self) { try await sweeper.sweep() }
            }
            try await fixture.application.test(.router) { client in
                let answer = try await client.file(media.path, as: fixture.ann)
                #expect(answer.status == .ok)
            }
        }
    }

    @Test func `a file that the bucket has lost is absent, and one of another length, too`() async throws {
        try await Self.with { fixture, service in
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let key = fixture.store.storage.place(of: media.id, named: media.fileName)
            service.edit { $0[key]?.bytes.append(0) }
            try await fixture.application.test(.router) { client in
                let longer = try await client.file(media.path, as: fixture.ann)
                service.edit { $0[key] = nil }
                let lost = try await client.file(media.path, as: fixture.ann)
                service.fail("GET", with: [503])
                let refused = try await client.file(media.path, as: fixture.ann)
                #expect([longer, lost, refused].map(\.status) == [.notFound, .notFound, .serviceUnavailable])
            }
        }
    }
}
