import ObjectStorageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// The client, against an endpoint that answers anything.
@Suite(.timeLimit(.unit))
struct HostileEndpointTests {
    /// - Parameter limit: that of each wait; by default so long that a busy machine does not reach it.
    private static func store(
        _ endpoint: ScriptedEndpoint, limit: Duration = .seconds(120)
    ) throws -> ObjectStore {
        var limits = ObjectStoreLimits()
        (limits.connect, limits.answer, limits.put, limits.pause) = (limit, limit, limit, limit)
        limits.attempts = 1
        let credentials = try ServiceCredentials(accessKey: "A", secretKey: "hidden-secret")
        return ObjectStore(try BucketAddress(parsing: endpoint.address), credentials, limits: limits)
    }

    private static func answer(_ status: String, _ headers: [String] = [], _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\((headers + ["Connection: close"]).joined(separator: "\r\n"))\r\n\r\n\(body)"
    }

    private static func error(
        _ answer: String, _ call: (ObjectStore) async throws -> Void
    ) async throws -> ObjectStoreError? {
        let endpoint = try ScriptedEndpoint { connection, _ in try connection.write(answer) }
        defer { endpoint.stop() }
        return try await caught(try store(endpoint), call)
    }

    private static func caught(
        _ store: ObjectStore, _ call: (ObjectStore) async throws -> Void
    ) async throws -> ObjectStoreError? {
        do {
            try await call(store)
            return nil
        } catch let error as ObjectStoreError {
            #expect(!"\(error)".contains("hidden"))
            return error
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\n", "no HTTP\r\n\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n<a>",
        Self.answer("200 OK", [], "<ListBucketResult>"), Self.answer("200 OK", [], "<html/>"),
        Self.answer("200 OK", ["Content-Length: 5"], "<a/>"),
        Self.answer("301 Moved", ["Location: http://127.0.0.1:1/"]),
        Self.answer("200 OK", [], "<!DOCTYPE a [<!ENTITY b 'c'>]><ListBucketResult>&b;</ListBucketResult>"),
        Self.answer("200 OK", [], "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
    ])
    func `a list that is none is an error`(text: String) async throws {
        #expect(try await Self.error(text) { _ = try await $0.list(at: nil) } != nil)
    }

    @Test func `an answer without an end is given up`() async throws {
        let endpoint = try ScriptedEndpoint { connection, head in
            try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "<", count: 0x10000) + "\r\n"
            while true { try connection.write(chunk) }
        }
        defer { endpoint.stop() }
        let store = try Self.store(endpoint)
        let error = try await Self.caught(store) { _ = try await $0.list(at: nil) }
        #expect(error == .malformed("more than 4194304 bytes"))
    }

    @Test func `silence is given up, at every call`() async throws {
        let endpoint = try ScriptedEndpoint { connection, _ in connection.waitUntilGone() }
        defer { endpoint.stop() }
        let store = try Self.store(endpoint, limit: .milliseconds(500))
        let calls: [@Sendable (ObjectStore) async throws -> Void] = [
            { _ = try await $0.list(at: nil) }, { _ = try await $0.head("x") },
            { _ = try await $0.get("x", 0..<1, of: 1) }, { try await $0.delete("x") },
            { try await $0.put(.sample([1], key: "x")) { Pieces([1]) } }, { _ = try await $0.keepsVersions() },
        ]
        for call in calls {
            let error = try await Self.caught(store, call)
            if case .unreachable? = error { continue }
            Issue.record("\(String(describing: error))")
        }
    }

    @Test func `bytes that stop or go on are no file`() async throws {
        for body in ["12", "1234"] {
            let endpoint = try ScriptedEndpoint { connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n" + body)
            }
            defer { endpoint.stop() }
            let error = try await Self.caught(try Self.store(endpoint)) { store in
                let opened = try await store.get("x", 0..<3, of: 3)
                #expect(try await opened?.bytes == Array("123".utf8))
            }
            #expect(body.count > 3 || error != nil)
        }
    }

    @Test(arguments: [
        Self.answer("206 Partial Content", ["Content-Length: 2", "Content-Range: bytes 4-5/9"], "ab"),
        Self.answer("206 Partial Content", ["Content-Length: 3", "Content-Range: bytes 4-6/9"], "abc"),
        Self.answer("206 Partial Content", ["Content-Length: 2"], "ab"),
        Self.answer("206 Partial Content", ["Content-Length: 2", "Content-Range: bytes 5-6/8"], "ab"),
    ])
    func `a range that was not asked for is refused`(text: String) async throws {
        await #expect(throws: OtherLength.self) {
            _ = try await Self.error(text) { _ = try await $0.get("x", 5..<7, of: 9) }
        }
    }

    @Test func `what an error repeats of a request is not told`() async throws {
        let text = Self.answer(
            "403 Forbidden", [], "<Error><Code>hidden &amp; secret</Code><StringToSign>hidden</StringToSign></Error>")
        #expect(try await Self.error(text) { try await $0.delete("x") } == .refused(status: 403, code: ""))
    }

    @Test func `a service that goes in the middle of an object leaves an error`() async throws {
        let endpoint = try ScriptedEndpoint { connection, _ in _ = try connection.read(200_000) }
        defer { endpoint.stop() }
        let bytes = [UInt8](repeating: 1, count: 8 << 20)
        let error = try await Self.caught(try Self.store(endpoint)) { store in
            try await store.put(.sample(bytes, key: "x")) { Pieces(bytes) }
        }
        guard case .unreachable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// The reader takes one piece; the service must not be able to send all the rest meanwhile.
    @Test func `a reader that stops holds the service back`() async throws {
        let (size, sent, isGone) = (256 << 20, Count(), Count())
        let endpoint = try ScriptedEndpoint { connection, _ in
            defer { isGone.add(1) }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = String(repeating: "x", count: 65_536)
            for _ in 0..<(size / 65_536) {
                try connection.write(piece)
                sent.add(65_536)
            }
        }
        defer { endpoint.stop() }
        struct Enough: Error {}
        // The connection that nobody reads from may end by this limit only, and its end is waited for.
        let store = try Self.store(endpoint, limit: .seconds(60))
        defer { withExtendedLifetime(store) {} }
        let body = try #require(try await store.get("x", 0..<Int64(size), of: Int64(size)))
        await #expect(throws: Enough.self) {
            try await body.forEachPiece { _ in
                var last = -1
                // Until the service can send no more.
                while sent.value != last {
                    last = sent.value
                    // Not for synchronisation: the time in which a service that is not held back sends on.
                    try await Task.sleep(for: .milliseconds(100))
                }
                throw Enough()
            }
        }
        #expect(sent.value < size / 4)
        while isGone.value == 0 {
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// A number that several threads see.
private final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add(_ more: Int) { number.withLock { $0 += more } }
}
