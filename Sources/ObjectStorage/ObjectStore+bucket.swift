import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A page of the keys of a bucket.
package struct ObjectPage: Sendable, Equatable {
    package let keys: [String]
    /// The cursor of the next page; nil after the last.
    package let next: String?
}

extension ObjectStore {
    /// Returns a page of the keys that begin with the prefix of the address, in their order.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func list(at cursor: String?) async throws -> ObjectPage {
        try await call(.list) {
            var request = SignableRequest(method: "GET", path: self.path())
            request.query = [
                ("list-type", "2"), ("max-keys", String(self.limits.keys)), ("encoding-type", "url"),
                ("prefix", self.address.prefix),
            ]
            if let cursor { request.query.append(("continuation-token", cursor)) }
            let response = try await self.send(request, within: self.limits.answer, accepting: [200])
            let body = try await self.collect(response, upTo: self.limits.pageBytes)
            return try Self.page(AnswerElement(parsing: body.readableBytesView), after: cursor, most: self.limits.keys)
        }
    }

    static func page(_ answer: AnswerElement, after cursor: String?, most: Int) throws -> ObjectPage {
        guard answer.name == "ListBucketResult" else { throw ObjectStoreError.malformed("not a list") }
        let isEncoded = answer["EncodingType"]?.text == "url"
        let keys = try answer.children.filter { $0.name == "Contents" }.map { content in
            guard let key = content["Key"]?.text,
                let plain = isEncoded ? key.replacing("+", with: " ").removingPercentEncoding : key
            else { throw ObjectStoreError.malformed("an object without a key") }
            return plain
        }
        guard keys.count <= most else { throw ObjectStoreError.malformed("more keys than were asked for") }
        guard answer["IsTruncated"]?.text == "true" else { return ObjectPage(keys: keys, next: nil) }
        guard let next = answer["NextContinuationToken"]?.text, !next.isEmpty, next != cursor else {
            throw ObjectStoreError.malformed("a list that does not go on")
        }
        return ObjectPage(keys: keys, next: next)
    }

    /// Returns whether the bucket keeps former versions of objects.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func keepsVersions() async throws -> Bool {
        try await call(.versioning) {
            var request = SignableRequest(method: "GET", path: self.path())
            request.query = [("versioning", "")]
            let response = try await self.send(request, within: self.limits.answer, accepting: [200])
            let body = try await self.collect(response, upTo: self.limits.errorBytes)
            let answer = try AnswerElement(parsing: body.readableBytesView)
            guard answer.name == "VersioningConfiguration" else {
                throw ObjectStoreError.malformed("not the versioning of a bucket")
            }
            return answer["Status"]?.text == "Enabled"
        }
    }

    /// Returns the whole content of a small object; nil if there is none.
    ///
    /// - Throws: ``ObjectStoreError``.
    package func content(of key: String, upTo bytes: Int) async throws -> [UInt8]? {
        try await call(.get) {
            let response = try await self.send(
                SignableRequest(method: "GET", path: self.path(key)), within: self.limits.answer,
                accepting: [200, 404])
            guard response.status == .ok else { return nil }
            return Array(try await self.collect(response, upTo: bytes).readableBytesView)
        }
    }
}
