import Database
import Foundation
import SocialGraph

/// The directory of stored files: `<hh>/<id>.<extension>`, in 256 folders, so that none of them grows too long to list.
/// All calls block.
package struct MediaDirectory: Sendable {
    package let path: String

    package init(at path: String) { self.path = path }

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
        return try DirectoryNames.read(folder).map { (folder + "/" + $0, $0) }
    }
}
