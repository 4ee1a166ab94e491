import Crypto
import Foundation
import GraphServices
import NIOCore
import Synchronization

/// An incoming file under a temporary name: written, counted and digested while its bytes arrive. It belongs to the one
/// task that fills it. That task ends with ``finish()`` and, unless the store keeps the file, ``discard()``.
package final class IncomingFile: Sendable {
    /// Number of bytes that are gathered and written, or read, at a time.
    package static let chunkBytes = 262_144

    private struct State {
        /// The file descriptor; -1 once it is closed.
        var descriptor: Int32
        var bytes: Int64 = 0
        var digest = SHA256()
        /// The bytes received since the last write, copied together: a chunk of the network may keep far more memory
        /// alive than it has bytes.
        var gathered = ByteBuffer()
    }

    package let path: String
    let type: MediaType
    private let space: UploadSpace
    private let write: Spool.Write
    private let work: BoundedWork
    /// User whose turn the write takes.
    private let holder: BudgetHolder
    private let state: Mutex<State>

    private init(
        path: String, type: MediaType, descriptor: Int32, spool: Spool, work: BoundedWork,
        holder: BudgetHolder
    ) {
        self.path = path
        self.type = type
        space = spool.space
        write = spool.write
        self.work = work
        self.holder = holder
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Throws: ``FileFailure``.
    package static func create(
        in spool: Spool, type: MediaType, work: BoundedWork, for holder: BudgetHolder
    ) async throws -> IncomingFile {
        let path = spool.newPath()
        let descriptor = try await work.run(for: holder) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileFailure("open") }
            return descriptor
        }
        return IncomingFile(
            path: path, type: type, descriptor: descriptor, spool: spool, work: work, holder: holder)
    }

    /// Number of bytes received.
    package var bytes: Int64 { state.withLock { $0.bytes } }

    /// SHA-256 of the bytes, once the file is finished.
    package var sha256: [UInt8] { state.withLock { Array($0.digest.finalize()) } }

    /// - Throws: ``FileFailure``.
    package func append(_ piece: ByteBuffer) async throws {
        let isFull = state.withLock { state in
            state.bytes += Int64(piece.readableBytes)
            state.gathered.writeImmutableBuffer(piece)
            return state.gathered.readableBytes >= Self.chunkBytes
        }
        if isFull { try await work.run(for: holder) { try self.writeGathered() } }
    }

    /// Waits until everything is on disk and closes the file.
    ///
    /// - Throws: ``FileFailure``.
    package func finish() async throws {
        try await work.run(for: holder) {
            try self.writeGathered()
            try self.state.withLock { state in
                let descriptor = state.descriptor
                state.descriptor = -1
                // `close` releases the descriptor even if it fails.
                defer { close(descriptor) }
                guard fsync(descriptor) == 0 else { throw FileFailure("fsync") }
            }
        }
    }

    /// Removes the file. A file that cannot be removed now is removed at the next start.
    func discard() async {
        try? await work.run(for: holder) { [path] in try Spool.remove(path) }
    }

    /// Blocks, on a thread of the store. Nobody else takes the lock meanwhile.
    private func writeGathered() throws {
        try state.withLock { state in
            try state.gathered.withUnsafeReadableBytes { bytes in
                state.digest.update(bufferPointer: bytes)
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = try UnsafeRawBufferPointer(rebasing: rest).baseAddress.map { bytes in
                        try space.taking(rest.count) { write(state.descriptor, bytes, rest.count) }
                    }
                    guard let count, count > 0 else {
                        if errno == EINTR { continue }
                        throw FileFailure("write")
                    }
                    rest = rest.dropFirst(count)
                }
            }
            state.gathered.clear()
        }
    }
}
