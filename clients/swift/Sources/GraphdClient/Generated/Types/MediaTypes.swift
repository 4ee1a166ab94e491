// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct MediaLink: Codable, Hashable, Sendable {
    /// The URL of the file with a signature.
    public var url: String
    public var expiresAt: Date

    public init(url: String, expiresAt: Date) {
        self.url = url
        self.expiresAt = expiresAt
    }
}

public struct MediaStatus: Codable, Hashable, Sendable {
    public var mediaId: String
    /// The URL of the file.
    public var url: String
    public var contentType: String
    public var bytes: Int
    /// A video is `queued` or `running` until it has been examined, and then `ready`, or `failed` if it cannot be
    /// used. Pictures are `ready`, as are all videos of a server without ffmpeg, whose properties are null.
    public var status: MediaStatusStatus
    /// Seconds.
    public var duration: Double?
    /// Pixels, after the rotation that the file asks for.
    public var width: Int?
    public var height: Int?
    /// The codec of the pictures, as ffmpeg names it: `h264`, `vp9`.
    public var codec: String?
    public var posterUrl: String?
    /// The reason of `failed`, in English.
    public var error: String?

    public init(
        mediaId: String, url: String, contentType: String, bytes: Int, status: MediaStatusStatus,
        duration: Double? = nil, width: Int? = nil, height: Int? = nil, codec: String? = nil, posterUrl: String? = nil,
        error: String? = nil
    ) {
        self.mediaId = mediaId
        self.url = url
        self.contentType = contentType
        self.bytes = bytes
        self.status = status
        self.duration = duration
        self.width = width
        self.height = height
        self.codec = codec
        self.posterUrl = posterUrl
        self.error = error
    }
}

/// A video is `queued` or `running` until it has been examined, and then `ready`, or `failed` if it cannot be used.
/// Pictures are `ready`, as are all videos of a server without ffmpeg, whose properties are null.
public struct MediaStatusStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let queued = Self(rawValue: "queued")
    public static let running = Self(rawValue: "running")
    public static let ready = Self(rawValue: "ready")
    public static let failed = Self(rawValue: "failed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.queued, .running, .ready, .failed]
}

public struct NewRendition: Codable, Hashable, Sendable {
    /// Elsewhere than at this server.
    public var url: String
    public var contentType: String
    /// Pixels.
    public var width: Int?
    public var height: Int?
    /// Bits a second.
    public var bitrate: Int?

    public init(url: String, contentType: String, width: Int? = nil, height: Int? = nil, bitrate: Int? = nil) {
        self.url = url
        self.contentType = contentType
        self.width = width
        self.height = height
        self.bitrate = bitrate
    }
}

public struct Renditions: Codable, Hashable, Sendable {
    public var renditions: [Rendition]

    public init(renditions: [Rendition]) {
        self.renditions = renditions
    }
}

public struct StoredMedia: Codable, Hashable, Sendable {
    public var mediaId: String
    /// The URL of the file.
    public var url: String
    /// `queued` for a video, `ready` for a picture.
    public var status: StoredMediaStatus
    public var contentType: StoredMediaContentType
    public var bytes: Int
    public var sha256: String
    public var thumbnailUrl: String?

    public init(
        mediaId: String, url: String, status: StoredMediaStatus, contentType: StoredMediaContentType, bytes: Int,
        sha256: String, thumbnailUrl: String? = nil
    ) {
        self.mediaId = mediaId
        self.url = url
        self.status = status
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

/// `queued` for a video, `ready` for a picture.
public struct StoredMediaStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let queued = Self(rawValue: "queued")
    public static let ready = Self(rawValue: "ready")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.queued, .ready]
}
