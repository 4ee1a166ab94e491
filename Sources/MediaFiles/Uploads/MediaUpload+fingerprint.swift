import Database
import GraphServices
import NIOCore
import SocialGraph

extension MediaUpload {
    /// Reads a multipart/form-data request to its end and keeps nothing of it. Counts as an open upload.
    ///
    /// - Returns: the digest that ``receive(_:owner:form:onFingerprint:validate:)`` passes on for the same form.
    /// - Throws: `Problem` 400 `malformed_multipart`, 413 `body_too_large`, 415 `unsupported_media_type`, 429
    ///   `rate_limited`, 503 `busy`.
    package func fingerprint(
        of body: UploadBody<some AsyncIteratorProtocol<ByteBuffer, any Error>>, owner: UserID
    ) async throws -> [UInt8] {
        let slot = try budgets.slot(.uploads, for: .user(owner.rawValue), .address(body.address))
        defer { slot.release() }
        let boundary = try MultipartBoundary.require(in: body.contentTypes)
        var reader = MultipartReader(body.chunks, boundary: boundary, limit: limit, isFingerprinted: true)
        while try await reader.nextPart() != nil {}
        return reader.fingerprint() ?? []
    }
}
