import GraphServices
import NIOCore

/// The state of an incoming file: the number of bytes received, and the bytes to keep.
struct PictureIntake {
    /// Number of bytes received, including those that are not kept.
    private(set) var bytes = 0
    private let type: MediaType
    private let field: String
    private var cleaner: PictureCleaner?

    /// - Parameter field: the part of the form, for error messages.
    init(_ type: MediaType, field: String) {
        self.type = type
        self.field = field
        cleaner = PictureCleaner(type)
    }

    /// - Throws: `Problem` 422 `unsupported_media`.
    mutating func kept(of piece: ByteBuffer) throws -> ByteBuffer {
        bytes += piece.readableBytes
        do {
            return try cleaner?.clean(piece) ?? piece
        } catch let malformed as MalformedPicture {
            throw problem(malformed)
        }
    }

    /// Checks that the file is complete. Called after the last piece.
    ///
    /// - Throws: `Problem` 422 `unsupported_media`.
    func finish() throws {
        do {
            try cleaner?.finish()
        } catch let malformed as MalformedPicture {
            throw problem(malformed)
        }
    }

    private func problem(_ malformed: MalformedPicture) -> Problem {
        Problem(
            .unsupportedMedia, "\"\(field)\" is not a whole picture of type \(type.contentType): \(malformed.reason).",
            field: field)
    }
}
