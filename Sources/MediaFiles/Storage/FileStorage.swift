import GraphServices
import NIOCore
import SocialGraph

/// The place of stored files. A file has its name from the start and never changes, so nothing is ever overwritten.
package protocol FileStorage: Sendable {
    /// True if every node that serves the graph reads the same files.
    var isShared: Bool { get }
    /// Rounds of the sweep of which one looks for files without a row.
    var roundsBetweenListings: Int { get }

    /// Makes sure that the files are those of this graph, which takes them if they are nobody's.
    func confirm() async throws

    /// Stores spooled files. Returns once all of them are durable; a failure may leave some of them stored.
    func put(_ files: [SpooledFile], for holder: BudgetHolder) async throws

    /// Opens bytes of a file; with an empty range, only makes sure that the file can be read.
    ///
    /// - Throws: ``StoredFileFault`` if the file is missing or has another length.
    func open(
        _ file: FileDescription, _ range: Range<Int64>, for holder: BudgetHolder
    ) async throws -> any FileContent

    /// Returns the path of a file on this machine; nil if it is elsewhere.
    func localPath(of file: FileDescription) -> String?

    /// Returns whether a file is there, as far as its place can tell without reading it.
    func has(_ file: FileDescription) async throws -> Bool

    /// Returns the place of a file, for ``remove(_:)``.
    func place(of id: MediaID, named fileName: String) -> String

    /// Removes files, where they exist, if they are this graph's.
    func remove(_ places: [String]) async throws

    /// Returns a link by which a client gets a file from elsewhere, to be asked for by `method`; nil: graphd sends it.
    func link(to file: FileDescription, method: String) -> String?

    /// Returns a page of all stored files, in no particular order, and the cursor of the next page; nil after the last.
    func files(at cursor: String?) async throws -> (files: [StoredFileEntry], next: String?)
}

extension FileStorage {
    package func localPath(of file: FileDescription) -> String? { nil }

    package func link(to file: FileDescription, method: String) -> String? { nil }
}

/// Bytes of a stored file.
package protocol FileContent: Sendable {
    /// Calls `body` with the bytes in order, in pieces. Each is read once `body` has returned. Call it once.
    func forEachPiece(_ body: (ByteBuffer) async throws -> Void) async throws
}

/// A stored file as its row describes it.
package struct FileDescription: Sendable, Equatable {
    package let id: MediaID
    package let fileName: String
    package let contentType: String
    /// Length in bytes.
    package let bytes: Int64
    /// 32 bytes.
    package let sha256: [UInt8]

    package init(id: MediaID, fileName: String, contentType: String, bytes: Int64, sha256: [UInt8]) {
        self.id = id
        self.fileName = fileName
        self.contentType = contentType
        self.bytes = bytes
        self.sha256 = sha256
    }

    package init(_ media: Media) {
        self.init(
            id: media.id, fileName: media.fileName, contentType: media.contentType, bytes: media.bytes,
            sha256: media.sha256)
    }

    init(_ media: NewMedia) {
        self.init(
            id: media.id, fileName: media.fileName, contentType: media.contentType, bytes: media.bytes,
            sha256: media.sha256)
    }

    /// The range of all bytes.
    package var whole: Range<Int64> { 0..<bytes }
}

/// A complete file in a spool, with the description under which it is to be stored.
package struct SpooledFile: Sendable {
    package let path: String
    package let description: FileDescription

    package init(path: String, description: FileDescription) {
        self.path = path
        self.description = description
    }
}

/// A file that a storage lists.
package struct StoredFileEntry: Sendable, Equatable {
    let id: MediaID
    let fileName: String
    let place: String
}

/// The fault of a file that has a row.
package enum StoredFileFault: Error, Equatable {
    case missing
    case otherLength
}

/// A failure of a storage, for which the file is not to blame.
package protocol StorageFailure: Error {
    /// The problem for the client.
    var problem: Problem { get }
}
