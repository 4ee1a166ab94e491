import Database
import Foundation
import SocialGraph

/// The directory of stored files: `<hh>/<id>.<extension>`, in 256 folders, so that none of them grows too long to list.
/// Incoming files are in `incoming`, in the same file system, so that they can be renamed. All calls block.
package struct MediaDirectory: Sendable {
    package typealias Write = @Sendable (Int32, UnsafeRawPointer, Int) -> Int

    package let path: String
    /// `write(2)`; tests simulate a full disk with it.
    package let write: Write
    let space: UploadSpace

    var incoming: String { path + "/incoming" }

    /// Creates the directory, and removes the unfinished uploads of a process that was killed.
    ///
    /// - Throws: ``FileFailure``.
    package init(
        at path: String, space: UploadSpace = .unbounded, write: @escaping Write = { Foundation.write($0, $1, $2) }
    ) throws {
        self.path = path
        self.space = space
        self.write = write
        try Self.make(path)
        try Self.make(incoming)
        for name in try Self.names(in: incoming) { try Self.remove(incoming + "/" + name) }
    }

    /// Returns the folder and the path of a stored file.
    package func place(of id: MediaID, named fileName: String) -> (folder: String, path: String) {
        let folder = path + "/" + Self.folder(of: id)
        return (folder, folder + "/" + fileName)
    }

    /// Returns the name of the folder of a stored file: two hexadecimal digits.
    package static func folder(of id: MediaID) -> String {
        let digits = String(id.rawValue >> IDSequence.sequenceBits & 0xFF, radix: 16)
        return (digits.count < 2 ? "0" : "") + digits
    }

    /// Moves a file, whose bytes are on disk, to its place. The move is durable once the folder is: ``flush(_:)``.
    func move(_ temporary: String, to place: (folder: String, path: String)) throws {
        if mkdir(place.folder, 0o700) == 0 {
            try flush(path)
        } else if errno != EEXIST {
            throw FileFailure("mkdir")
        }
        guard rename(temporary, place.path) == 0 else { throw FileFailure("rename") }
    }

    /// Waits until the entries of a folder are on disk.
    package func flush(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure("fsync") }
    }

    /// The paths and names of the files of one folder, 0 to 255.
    package func files(inFolder number: Int) throws -> [(path: String, name: String)] {
        let folder = place(of: MediaID(rawValue: Int64(number) << IDSequence.sequenceBits), named: "").folder
        return try Self.names(in: folder).map { (folder + "/" + $0, $0) }
    }

    package func remove(_ id: MediaID, named fileName: String) throws {
        try Self.remove(place(of: id, named: fileName).path)
    }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileFailure("unlink") }
    }

    /// Returns the names in a folder; empty if there is no such folder.
    private static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw FileFailure("opendir")
        }
        return DirectoryNames.read(closing: stream)
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure("mkdir") }
    }
}

/// The name of a stored file, in paths and folders.
package enum MediaFileName {
    /// Parses the id in `<id>` or `<id>.<extension>`; nil for anything else.
    package static func id(in name: some StringProtocol) -> MediaID? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return TextRules.parseID(parts[0]).map(MediaID.init(rawValue:))
    }
}
