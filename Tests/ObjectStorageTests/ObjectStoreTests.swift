import Crypto
import NIOCore
import ObjectStorageTestSupport
import TestSupport
import Testing

@testable import ObjectStorage

/// The client, against a service that verifies every signature by code of its own.
@Suite(.timeLimit(.unit))
struct ObjectStoreTests {
    private static func with(
        prefix: String = "", _ body: @escaping @Sendable (ObjectStore, StrictS3) async throws -> Void
    ) async throws {
        try await StrictS3.with { service in
            var limits = ObjectStoreLimits()
            // A busy machine does not reach these, and so repeats no call.
            (limits.answer, limits.put, limits.pause) = (.seconds(600), .seconds(600), .seconds(600))
            (limits.connect, limits.repeats, limits.retryPause) = (.seconds(600), .seconds(600), .zero)
            let address = try BucketAddress(parsing: service.address(prefix: prefix))
            try await body(ObjectStore(address, try service.credentials, limits: limits), service)
        }
    }

    @Test func `an object is stored, read, listed and deleted`() async throws {
        try await Self.with(prefix: "a/b") { store, service in
            let bytes = [UInt8](repeating: 7, count: 700_001)
            let object = NewObject.sample(bytes, key: "a/b/1 ä+$.mp4")
            try await store.put(object) { Pieces(bytes) }
            #expect(service.objects["a/b/1%20%C3%A4%2B%24.mp4"] != nil || service.objects["a/b/1 ä+$.mp4"] != nil)
            #expect(
                try await store.head(object.key)
                    == ObjectInfo(bytes: 700_001, sha256: Hexadecimal.encode(object.sha256)))
            let whole = try await store.get(object.key, 0..<700_001, of: 700_001)
            #expect(try await whole?.bytes == bytes)
            let part = try await store.get(object.key, 5..<9, of: 700_001)
            #expect(try await part?.bytes == [7, 7, 7, 7])
            await #expect(throws: OtherLength.self) { _ = try await store.get(object.key, 5..<9, of: 700_000) }
            await #expect(throws: OtherLength.self) { _ = try await store.get(object.key, 0..<9, of: 9) }
            try await store.delete(object.key)
            try await store.delete(object.key)
            #expect(try await store.head(object.key) == nil)
            #expect(try await store.get(object.key, 0..<1, of: 1) == nil)
            #expect(store.clockSkew.map { abs($0) < 60 } == true)
        }
    }

    @Test func `a wrong secret is refused`() async throws {
        try await StrictS3.with { service in
            let credentials = try ServiceCredentials(accessKey: StrictS3.accessKey, secretKey: "another")
            let store = ObjectStore(try BucketAddress(parsing: service.address()), credentials)
            let error = await #expect(throws: ObjectStoreError.self) { try await store.list(at: nil) }
            #expect(error == .refused(status: 403, code: "SignatureDoesNotMatch"))
        }
    }

    @Test func `a body that is not what was signed is refused`() async throws {
        try await Self.with { store, service in
            let object = NewObject.sample([1, 2, 3], key: "x")
            await #expect(throws: ObjectStoreError.refused(status: 400, code: "XAmzContentSHA256Mismatch")) {
                try await store.put(object) { Pieces([1, 2, 4]) }
            }
            #expect(service.objects.isEmpty)
        }
    }

    @Test func `no object is overwritten, and one stored by a former attempt counts`() async throws {
        try await Self.with { store, service in
            let object = NewObject.sample([1, 2, 3], key: "x")
            try await store.put(object) { Pieces([1, 2, 3]) }
            try await store.put(object) { Pieces([1, 2, 3]) }
            await #expect(throws: ObjectStoreError.refused(status: 412, code: "PreconditionFailed")) {
                try await store.put(.sample([1, 2, 4], key: "x")) { Pieces([1, 2, 4]) }
            }
            #expect(service.objects["x"]?.bytes == [1, 2, 3])
        }
    }

    @Test func `a service without conditional writes is asked without them from then on`() async throws {
        try await Self.with { store, service in
            service.forgetConditions()
            try await store.put(.sample([1], key: "x")) { Pieces([1]) }
            try await store.put(.sample([2], key: "y")) { Pieces([2]) }
            #expect(service.calls == ["PUT /media/x", "PUT /media/x", "PUT /media/y"])
        }
    }

    @Test func `lists are read page by page`() async throws {
        try await Self.with(prefix: "p") { store, service in
            service.setKeysAPage(3)
            service.edit { objects in
                for number in 0..<8 {
                    objects["p/\(number)"] = .init(bytes: [1], contentType: "")
                    objects["q/\(number)"] = .init(bytes: [1], contentType: "")
                }
            }
            var (keys, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await store.list(at: cursor)
                #expect(page.keys.count <= 3)
                (keys, cursor) = (keys + page.keys, page.next)
            } while cursor != nil
            #expect(keys == (0..<8).map { "p/\($0)" })
        }
    }

    @Test func `a failure that passes is repeated, another is not`() async throws {
        try await Self.with { store, service in
            service.fail("PUT", with: [503])
            try await store.put(.sample([1], key: "x")) { Pieces([1]) }
            service.fail("PUT", with: [500, 503])
            await #expect(throws: ObjectStoreError.failed(status: 503, code: "SlowDown")) {
                try await store.put(.sample([1], key: "y")) { Pieces([1]) }
            }
            service.fail("GET", with: [403])
            await #expect(throws: ObjectStoreError.refused(status: 403, code: "InternalError")) {
                try await store.list(at: nil)
            }
        }
    }

    @Test func `versions are told`() async throws {
        try await Self.with { store, service in
            let before = try await store.keepsVersions()
            service.keepVersions()
            let after = try await store.keepsVersions()
            #expect(!before && after)
        }
    }
}

extension NewObject {
    static func sample(_ bytes: [UInt8], key: String) -> NewObject {
        NewObject(
            key: key, bytes: Int64(bytes.count), sha256: Array(SHA256.hash(data: bytes)), contentType: "video/mp4")
    }
}

extension ObjectBody {
    var bytes: [UInt8] {
        get async throws {
            var bytes: [UInt8] = []
            try await forEachPiece { bytes += $0.readableBytesView }
            return bytes
        }
    }
}

/// Bytes in pieces.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() async -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(100_000) }
            return ByteBuffer(bytes: rest.prefix(100_000))
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
}
