// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct StoredMedia: Codable, Hashable, Sendable {
    public var mediaId: String
    /// The URL of the file.
    public var url: String
    public var contentType: StoredMediaContentType
    public var bytes: Int
    public var sha256: String
    public var thumbnailUrl: String?

    public init(
        mediaId: String, url: String, contentType: StoredMediaContentType, bytes: Int, sha256: String,
        thumbnailUrl: String? = nil
    ) {
        self.mediaId = mediaId
        self.url = url
        self.contentType = contentType
        self.bytes = bytes
        self.sha256 = sha256
        self.thumbnailUrl = thumbnailUrl
    }
}

/// One of the known values, or one that a later server has added.
public struct StoredMediaContentType: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let videoMp4 = Self(rawValue: "video/mp4")
    public static let videoXM4v = Self(rawValue: "video/x-m4v")
    public static let videoQuicktime = Self(rawValue: "video/quicktime")
    public static let videoWebm = Self(rawValue: "video/webm")
    public static let videoXMatroska = Self(rawValue: "video/x-matroska")
    public static let imageJpeg = Self(rawValue: "image/jpeg")
    public static let imagePng = Self(rawValue: "image/png")
    public static let imageGif = Self(rawValue: "image/gif")
    public static let imageWebp = Self(rawValue: "image/webp")
    public static let imageHeic = Self(rawValue: "image/heic")
    public static let imageAvif = Self(rawValue: "image/avif")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .videoMp4, .videoXM4v, .videoQuicktime, .videoWebm, .videoXMatroska, .imageJpeg, .imagePng, .imageGif,
        .imageWebp, .imageHeic, .imageAvif,
    ]
}
