/// A stored file. Its content never changes; the same bytes stored twice are two files.
package struct Media: Sendable, Equatable {
    package let id: MediaID
    /// The user who stored it.
    package let owner: UserID
    /// The type found in the bytes; the client's claim is ignored.
    package let contentType: String
    /// `<id>.<extension>`, also the last part of its path.
    package let fileName: String
    /// Length of the file in bytes.
    package let bytes: Int64
    /// 32 bytes.
    package let sha256: [UInt8]
    /// Milliseconds since 1970.
    package let createdAt: Int64

    /// The path that serves the file, without host: `/media/<id>.<extension>`.
    package var path: String { Self.folder + fileName }

    package var isVideo: Bool { contentType.hasPrefix("video/") }

    /// The prefix of every path of a stored file.
    package static let folder = "/media/"
}

/// A file that is on disk under its final name and has no row yet.
package struct NewMedia: Sendable {
    package let id: MediaID
    package let contentType: String
    package let fileName: String
    package let bytes: Int64
    package let sha256: [UInt8]

    /// `id`: from ``MediaStore/reserveMediaIDs(_:)``.
    package init(id: MediaID, contentType: String, fileName: String, bytes: Int64, sha256: [UInt8]) {
        self.id = id
        self.contentType = contentType
        self.fileName = fileName
        self.bytes = bytes
        self.sha256 = sha256
    }
}
