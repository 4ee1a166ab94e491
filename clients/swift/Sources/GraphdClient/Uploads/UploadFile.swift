import Foundation
import NIOCore
import NIOPosix

/// Called during an upload with the bytes that have been sent, and of all bytes if their number is known. A repetition
/// of the request begins at 0 again.
public typealias UploadProgress = @Sendable (_ sent: Int64, _ total: Int64?) -> Void

/// A file to upload. It is read piece by piece while it is sent, from the beginning in each attempt.
public struct UploadFile: Sendable {
    let length: Int64?
    let content: BodyStream

    /// - Parameters:
    ///   - length: The number of bytes, if it is known. A body of another length fails.
    ///   - content: The pieces. Each loop over it must begin anew.
    public init(length: Int64?, content: BodyStream) {
        self.length = length
        self.content = content
    }

    public init(data: Data) {
        self.init(length: Int64(data.count), content: BodyStream(data))
    }

    /// A file on disk, which must not change during the upload.
    ///
    /// - Throws: An error of the file system if there is no such file.
    public init(contentsOf file: URL) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let length = (attributes[.size] as? NSNumber)?.int64Value
        self.init(length: length, content: BodyStream { FilePieces(file: file).next })
    }
}

/// The pieces of a file, read on threads that may block.
private final class FilePieces {
    private static let pieceSize = 256 * 1024
    private let file: URL
    private var handle: FileHandle?

    init(file: URL) {
        self.file = file
    }

    deinit {
        try? handle?.close()
    }

    func next() async throws -> Data? {
        let file = file
        let open = handle
        let (handle, piece) = try await NIOThreadPool.singleton.runIfActive { () -> (FileHandle, Data?) in
            let handle = try open ?? FileHandle(forReadingFrom: file)
            return (handle, try handle.read(upToCount: Self.pieceSize))
        }
        self.handle = handle
        return piece.flatMap { $0.isEmpty ? nil : $0 }
    }
}
