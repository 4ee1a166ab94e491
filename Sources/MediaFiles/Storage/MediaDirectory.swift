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

    /// The file that names the graph to which the files belong.
    package var ownerFile: String { path + "/" + MediaBucket.ownerName }

    /// Makes sure that the files belong to `graph`, which takes them if they belong to nobody.
    ///
    /// - Throws: ``ForeignDirectory`` if they belong to another graph; ``FileFailure``.
    func confirm(_ graph: String) throws {
        if try owner() == nil {
            do { try take(for: graph) } catch let failure as FileFailure where failure.isOfFullDisk {
                // They are nobody's. What is removed makes room for the name.
                return
            }
        }
        guard try owner() == Array(graph.utf8) else { throw ForeignDirectory(ownerFile: ownerFile) }
    }

    /// The content of the owner's file; nil if there is none.
    private func owner() throws -> [UInt8]? {
        let descriptor = open(ownerFile, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure("open")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.ownerBytes)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw FileFailure("read") }
        return Array(bytes.prefix(count))
    }

    /// Writes the owner's file, unless there is one: another graph may take the files at the same time.
    private func take(for graph: String) throws {
        do {
            try DurableFile.write(Array(graph.utf8), to: ownerFile, in: path, replacing: false)
        } catch {
            throw FileFailure(error.act, number: error.number)
        }
    }

    /// Bytes that an owner's name may have.
    private static let ownerBytes = 128
}

/// The fault of a directory whose files belong to another graph, such as the one that an emptied or exchanged database
/// had.
struct ForeignDirectory: Error, CustomStringConvertible {
    let ownerFile: String

    var description: String {
        "the database is not the one whose files these are, so none are removed; if they may be, delete \(ownerFile)"
    }
}
