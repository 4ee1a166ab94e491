import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1
import Synchronization

/// An object as its head describes it.
package struct ObjectInfo: Sendable, Equatable {
    package let bytes: Int64
    /// The digest that graphd has stored beside it, in hexadecimal digits; nil for objects of others.
    package let sha256: String?

    package init(bytes: Int64, sha256: String?) {
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// An object to store.
package struct NewObject: Sendable {
    package let key: String
    package let bytes: Int64
    /// 32 bytes. The service refuses a body with another digest.
    package let sha256: [UInt8]
    package let contentType: String

    package init(key: String, bytes: Int64, sha256: [UInt8], contentType: String) {
        self.key = key
        self.bytes = bytes
        self.sha256 = sha256
        self.contentType = contentType
    }
}

extension ObjectStore {
    private static let digestHeader = "x-amz-meta-sha256"
    private static let contentHeaders = ["Content-Encoding", "Transfer-Encoding"]

    /// Stores an object whose key has none. An object with the same content counts as stored by a former attempt.
    ///
    /// - Parameter content: returns the bytes anew for each attempt.
    /// - Throws: ``ObjectStoreError``; the errors of `content`. The object may be stored all the same, or later.
    package func put<Content: AsyncSequence & Sendable>(
        _ object: NewObject, _ content: @escaping @Sendable () -> Content
    ) async throws where Content.Element == ByteBuffer {
        try await call(.put) {
            let isConditional = self.knowsConditions.withLock { $0 }
            do {
                try await self.sendObject(object, content(), isConditional: isConditional)
            } catch ObjectStoreError.refused(412, _) {
                guard try await self.isStored(object) else {
                    throw ObjectStoreError.refused(status: 412, code: "PreconditionFailed")
                }
            } catch ObjectStoreError.refused(let status, let code)
                where isConditional && (status == 501 || code == "NotImplemented")
            {
                self.knowsConditions.withLock { $0 = false }
                try await self.sendObject(object, content(), isConditional: false)
            }
        }
    }

    /// Stores a few bytes under a key that has none.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func put(_ bytes: [UInt8], as key: String) async throws {
        let object = NewObject(
            key: key, bytes: Int64(bytes.count), sha256: Array(SHA256.hash(data: bytes)), contentType: "text/plain")
        try await put(object) { OnePiece(piece: ByteBuffer(bytes: bytes)) }
    }

    private func sendObject<Content: AsyncSequence & Sendable>(
        _ object: NewObject, _ content: Content, isConditional: Bool
    ) async throws where Content.Element == ByteBuffer {
        let digest = Hexadecimal.encode(object.sha256)
        var request = SignableRequest(method: "PUT", path: path(object.key))
        request.headers = [("Content-Type", object.contentType), (Self.digestHeader, digest)]
        let response = try await send(
            request, digest: digest, unsigned: isConditional ? [("If-None-Match", "*")] : [],
            body: .stream(content, length: .known(object.bytes)), within: limits.put(object.bytes),
            accepting: [200, 201, 204])
        _ = try await collect(response, upTo: limits.errorBytes)
    }

    private func isStored(_ object: NewObject) async throws -> Bool {
        guard let info = try await headOnce(object.key) else { return false }
        return info.bytes == object.bytes && info.sha256 == Hexadecimal.encode(object.sha256)
    }

    /// Returns what is known of an object; nil if there is none.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func head(_ key: String) async throws -> ObjectInfo? {
        try await call(.head) { try await self.headOnce(key) }
    }

    private func headOnce(_ key: String) async throws -> ObjectInfo? {
        let response = try await send(
            SignableRequest(method: "HEAD", path: path(key)), within: limits.answer, accepting: [200, 404])
        guard response.status == .ok else { return nil }
        guard let length = response.headers.first(name: "content-length").flatMap({ Int64($0) }), length >= 0 else {
            throw ObjectStoreError.malformed("an object without a length")
        }
        return ObjectInfo(bytes: length, sha256: response.headers.first(name: Self.digestHeader))
    }

    /// Opens bytes of an object that has `bytes` of them; nil if there is no such object.
    ///
    /// - Parameter range: not empty.
    /// - Throws: ``ObjectStoreError``; ``OtherLength``.
    package func get(_ key: String, _ range: Range<Int64>, of bytes: Int64) async throws -> ObjectBody? {
        try await call(.get) {
            let isWhole = range == 0..<bytes
            var request = SignableRequest(method: "GET", path: self.path(key))
            if !isWhole { request.headers = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")] }
            let response = try await self.send(
                request, within: self.limits.answer, accepting: isWhole ? [200, 404] : [206, 404, 416])
            switch response.status {
            case .notFound: return nil
            case .rangeNotSatisfiable: throw OtherLength()
            default: break
            }
            try Self.check(response, isWhole ? nil : range, of: bytes)
            return ObjectBody(count: Int64(range.count), body: response.body)
        }
    }

    private static func check(_ response: HTTPClientResponse, _ range: Range<Int64>?, of bytes: Int64) throws {
        guard !contentHeaders.contains(where: { response.headers.contains(name: $0) }) else {
            throw ObjectStoreError.malformed("an encoded object")
        }
        guard let length = response.headers.first(name: "content-length").flatMap({ Int64($0) }) else {
            throw ObjectStoreError.malformed("an object without a length")
        }
        guard let range else {
            guard length == bytes else { throw OtherLength() }
            return
        }
        guard length == Int64(range.count),
            let place = response.headers.first(name: "content-range"),
            place == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes)"
        else { throw OtherLength() }
    }

    /// Deletes an object, if it exists.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func delete(_ key: String) async throws {
        try await call(.delete) {
            let response = try await self.send(
                SignableRequest(method: "DELETE", path: self.path(key)), within: self.limits.answer,
                accepting: [200, 202, 204, 404])
            _ = try await self.collect(response, upTo: self.limits.errorBytes)
        }
    }

    /// Returns a link by which anybody can read an object for some seconds.
    ///
    /// - Parameter headers: headers of the answer, by parameters such as `response-content-type`.
    package func link(
        to key: String, method: String, headers: [(name: String, value: String)], validFor seconds: Int
    ) -> String {
        var request = SignableRequest(method: method, path: path(key))
        request.query = headers
        request.headers = [("Host", address.endpoint.authority)]
        let query = signer.query(for: request, validFor: seconds, at: now())
        return address.endpoint.description + PercentEncoding.encode(request.path, keepsSlash: true) + "?" + query
    }
}

/// A sequence of one piece.
private struct OnePiece: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let piece: ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ByteBuffer?

        mutating func next() async -> ByteBuffer? { rest.take() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: piece) }
}

/// The fault of an object that has not the length it should have.
package struct OtherLength: Error {}

/// Bytes of an object under way.
package struct ObjectBody: Sendable {
    package let count: Int64
    fileprivate let body: HTTPClientResponse.Body

    /// Calls `take` with the bytes in order. More are read from the service once it has returned; if it throws, the
    /// connection is closed. Call it once.
    ///
    /// - Throws: ``ObjectStoreError`` if they end early; the errors of `take`.
    package func forEachPiece(_ take: (ByteBuffer) async throws -> Void) async throws {
        var rest = count
        var pieces = body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do {
                piece = try await pieces.next()
            } catch let error where !(error is CancellationError) {
                throw ObjectStore.failure(error) ?? error
            }
            guard let piece else { break }
            rest -= Int64(piece.readableBytes)
            guard rest >= 0 else { throw ObjectStoreError.malformed("more bytes than it announced") }
            try await take(piece)
        }
        guard rest == 0 else { throw ObjectStoreError.unreachable("the connection ended early") }
    }
}
