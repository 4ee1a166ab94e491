import CommandSupport
import Crypto
import Foundation
import GraphServices
import MediaFiles
import NIOCore

/// A stored file that a command fetches, to a path or only for its digest.
enum FetchedFile {
    /// Writes a stored file to a new path and waits until it is on disk. Writes block the caller's thread.
    ///
    /// - Throws: ``StoredFileFault``, ``FileFault``, `StorageFailure`; `DamagedFile` if it is not what its row says.
    ///   Nothing is left at the path then.
    static func fetch(_ file: FileDescription, from storage: any FileStorage, to path: String) async throws {
        let copy = try NewFile(path)
        do {
            try await check(file, in: storage) { try copy.append($0) }
            try copy.finish()
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Reads a stored file to its end and compares it with its row.
    ///
    /// - Throws: as ``fetch(_:from:to:)``, and the errors of `take`.
    static func check(
        _ file: FileDescription, in storage: any FileStorage,
        _ take: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) async throws {
        var digest = SHA256()
        var bytes: Int64 = 0
        let content = try await storage.open(file, file.whole, for: .server)
        try await content.forEachPiece { piece in
            try piece.withUnsafeReadableBytes { pointer in
                digest.update(bufferPointer: pointer)
                try take(pointer)
            }
            bytes += Int64(piece.readableBytes)
        }
        let found = FileDigest(bytes: bytes, sha256: Array(digest.finalize()))
        try FileDigest(bytes: file.bytes, sha256: file.sha256).require(
            found, of: storage.place(of: file.id, named: file.fileName))
    }
}
