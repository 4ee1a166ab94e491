// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Stored videos and pictures.
public struct MediaAPI: Sendable {
    let client: GraphdClient

    /// Upload a video or a picture.
    ///
    /// The file is streamed to disk and stored when the whole request has arrived. Its type is read from its first
    /// bytes: MP4, M4V, QuickTime, WebM or Matroska, or JPEG, PNG, GIF, WebP, HEIC or AVIF; names and types given
    /// by the client are ignored. The maximum size of a video is the setting `--max-upload` (256 MiB), of a picture
    /// 10 MiB. A video is examined after the answer: `status` is `queued`, and `GET /v1/media/{id}` tells when its
    /// duration, size, codec and poster are known. A `thumbnail` takes the place of the poster. EXIF, XMP, texts,
    /// comments and previews are removed from pictures; colour profiles and the orientation are kept (PNG: without
    /// EXIF's orientation). `bytes` and `sha256` are those of the stored file. A file that is cut off or malformed
    /// is refused as `unsupported_media`. Videos are stored unchanged, including locations and times in them.
    ///
    /// A file that no post and no profile uses is removed after a day. The files of a user may have at most
    /// `--upload-quota` bytes (5 GiB), and be at most `--upload-files` (10,000). A refused upload is answered with
    /// `Connection: close`.
    ///
    /// - Parameters:
    ///   - file: The video or the picture.
    ///   - thumbnail: The thumbnail.
    ///   - progress: Called with the number of bytes sent so far, and of all bytes if known.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `malformedMultipart`,
    ///   `uploadQuotaExceeded`, `bodyTooLarge`, `unsupportedMediaType`, `unsupportedMedia`, `idempotencyKeyReused`,
    ///   `mediaNotShared`, `insufficientStorage`.
    @discardableResult
    public func upload(
        file: UploadFile, thumbnail: UploadFile? = nil, progress: UploadProgress? = nil, idempotencyKey: String? = nil
    ) async throws -> StoredMedia {
        try await client.value(
            Call(
                .post, ["v1", "media"], repetition: .withKey(idempotencyKey),
                body: .form([.file("file", file), .file("thumbnail", thumbnail)], progress)))
    }

    /// Get the status of an upload.
    ///
    /// For the user who uploaded the file; to others it does not exist. A video can be published by its `mediaId`
    /// once it is `ready`.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `mediaNotFound`.
    public func mediaStatus(id: String) async throws -> MediaStatus {
        try await client.value(Call(.get, ["v1", "media", id]))
    }

    /// Get a signed link to a file.
    ///
    /// For everybody who may see the file: its uploader, and users who may see a post or profile that uses it. The
    /// link needs no token until `expiresAt`, so that players and other programs can fetch a file that is not
    /// public. It opens the file only while its user may see it: a file that is hidden or deleted meanwhile is gone
    /// for the link, too.
    ///
    /// - Parameter expiresIn: Seconds for which the link is valid.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `mediaNotFound`.
    public func mediaLink(id: String, expiresIn: Int? = nil) async throws -> MediaLink {
        try await client.value(
            Call(.get, ["v1", "media", id, "link"], query: [.init("expiresIn", expiresIn?.queryText)]))
    }

    /// Add or replace a rendition of a file.
    ///
    /// For a program of the operator's with a service token whose scope is `media:renditions`, such as a transcoder
    /// that has heard of the file by `media.ready`. A rendition is another form of the file that is elsewhere: an
    /// HLS manifest, or a 720p. Posts that show the file list its renditions. A file has at most 16, and loses them
    /// with itself.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `mediaNotFound`,
    ///   `limitReached`, `bodyTooLarge`, `invalidValue`, `invalidUrl`.
    @discardableResult
    public func putRendition(id: String, name: String, _ body: NewRendition) async throws -> Renditions {
        try await client.value(Call(.put, ["v1", "media", id, "renditions", name], body: .json(body)))
    }

    /// Remove a rendition of a file.
    ///
    /// For a program of the operator's with a service token whose scope is `media:renditions`.
    ///
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `forbidden`, `mediaNotFound`,
    ///   `invalidValue`.
    public func deleteRendition(id: String, name: String) async throws {
        try await client.perform(Call(.delete, ["v1", "media", id, "renditions", name]))
    }

    /// Get a stored file.
    ///
    /// Public if a public post or a profile uses the file; otherwise only for its owner and for users who may see a
    /// post that uses it, with their token or by a signed link (`GET /v1/media/{id}/link`). Other parameters of the
    /// query are ignored. `ETag` is made from the content, which never changes. Caches may keep public files
    /// (`public, max-age=31536000, immutable`) and nothing else; a 404 is `no-store`. With the setting
    /// `--media-url`, answers name public files at that URL.
    ///
    /// - Parameters:
    ///   - file: The id of the file, with or without extension.
    ///   - user: Of a signed link, as are `expires` and `signature`.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `mediaNotFound`,
    ///   `rangeNotSatisfiable`.
    public func download(file: String, user: String? = nil, expires: String? = nil, signature: String? = nil)
        async throws -> BodyStream
    {
        try await client.download(
            Call(
                .get, ["media", file],
                query: [
                    .init("user", user?.queryText), .init("expires", expires?.queryText),
                    .init("signature", signature?.queryText),
                ], authorization: .optional))
    }
}
