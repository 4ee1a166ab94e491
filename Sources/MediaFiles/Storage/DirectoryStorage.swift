import Foundation
import GraphServices
import NIOCore
import SocialGraph

/// Stored files in the data directory of one node. Every call of the file system is made on threads of its own: a slow
/// disk delays files only.
package struct DirectoryStorage: FileStorage {
    /// Number of folders. One of them is listed at a time.
    private static let folders = 256

    let directory: MediaDirectory
    let work: BoundedWork
    private let graph: (@Sendable () async throws -> String)?

    /// - Parameter graph: the name of the graph to which files that are removed must belong; nil: whatever graph it is.
    package init(
        directory: MediaDirectory, work: BoundedWork, of graph: (@Sendable () async throws -> String)? = nil
    ) {
        self.directory = directory
        self.work = work
        self.graph = graph
    }

    package var isShared: Bool { false }
    package var roundsBetweenListings: Int { 1 }

    /// - Throws: ``FileFailure``, ``ForeignDirectory``.
    package func confirm() async throws {
        guard let owner = try await graph?() else { return }
        try await work.run(for: .server) { [directory] in try directory.confirm(owner) }
    }

    /// Renames files, so the spool must be in the same file system.
    ///
    /// - Throws: ``FileFailure``.
    package func put(_ files: [SpooledFile], for holder: BudgetHolder) async throws {
        let moves = files.map {
            (from: $0.path, to: directory.place(of: $0.description.id, named: $0.description.fileName))
        }
        try await work.run(for: holder) { [directory] in
            for move in moves { try directory.move(move.from, to: move.to) }
            for folder in Set(moves.map(\.to.folder)) { try directory.flush(folder) }
        }
    }

    /// - Throws: ``FileFailure``, ``StoredFileFault``.
    package func open(
        _ file: FileDescription, _ range: Range<Int64>, for holder: BudgetHolder
    ) async throws -> any FileContent {
        let path = place(of: file.id, named: file.fileName)
        let opened: StoredFile
        do {
            opened = try await work.run(for: holder) { try StoredFile(path: path) }
        } catch let failure as FileFailure where failure.number == ENOENT {
            throw StoredFileFault.missing
        }
        guard opened.bytes == file.bytes else { throw StoredFileFault.otherLength }
        return DirectoryContent(file: opened, range: range, work: work, holder: holder)
    }

    package func localPath(of file: FileDescription) -> String? { place(of: file.id, named: file.fileName) }

    /// Compares the length.
    ///
    /// - Throws: ``FileFailure``.
    package func has(_ file: FileDescription) async throws -> Bool {
        do {
            _ = try await open(file, 0..<0, for: .server)
            return true
        } catch is StoredFileFault {
            return false
        }
    }

    package func place(of id: MediaID, named fileName: String) -> String {
        directory.place(of: id, named: fileName).path
    }

    /// - Throws: ``FileFailure``, ``ForeignDirectory``.
    package func remove(_ places: [String]) async throws {
        try await confirm()
        try await work.run(for: .server) { for place in places { try Spool.remove(place) } }
    }

    /// - Throws: ``FileFailure``.
    package func files(at cursor: String?) async throws -> (files: [StoredFileEntry], next: String?) {
        let folder = cursor.flatMap { Int($0) } ?? 0
        let found = try await work.run(for: .server) { [directory] in try directory.files(inFolder: folder) }
        let files = found.compactMap { file in
            MediaFileName.id(in: file.name).map { StoredFileEntry(id: $0, fileName: file.name, place: file.path) }
        }
        return (files, folder + 1 < Self.folders ? String(folder + 1) : nil)
    }
}

/// Bytes of a file in a directory.
private struct DirectoryContent: FileContent {
    let file: StoredFile
    let range: Range<Int64>
    let work: BoundedWork
    let holder: BudgetHolder

    /// - Throws: ``FileFailure``, also if the file ends early; the errors of `body`.
    func forEachPiece(_ body: (ByteBuffer) async throws -> Void) async throws {
        var start = range.lowerBound
        while start < range.upperBound {
            let length = Int(min(range.upperBound - start, Int64(IncomingFile.chunkBytes)))
            let piece = try await work.run(for: holder) { [file, start] in try file.read(from: start, count: length) }
            guard piece.readableBytes == length else { throw FileFailure("pread", number: EIO) }
            try await body(piece)
            start += Int64(length)
        }
    }
}
