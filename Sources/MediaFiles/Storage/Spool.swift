import Foundation

/// The directory `incoming`, which holds files until they are stored: uploads under way, and what other programs make
/// of them. All calls block.
package struct Spool: Sendable {
    package typealias Write = @Sendable (Int32, UnsafeRawPointer, Int) -> Int

    let path: String
    let space: UploadSpace
    /// `write(2)`; tests simulate a full disk with it.
    let write: Write

    /// Creates the directory below `parent`, and removes the unfinished uploads of a process that was killed.
    ///
    /// - Throws: ``FileFailure``.
    package init(
        in parent: String, space: UploadSpace = .unbounded, write: @escaping Write = { Foundation.write($0, $1, $2) }
    ) throws {
        path = parent + "/incoming"
        self.space = space
        self.write = write
        try Self.make(parent)
        try Self.make(path)
        for name in try DirectoryNames.read(path) { try Self.remove(path + "/" + name) }
    }

    /// Returns the path of a new temporary file.
    func newPath() -> String { path + "/" + UUID().uuidString.lowercased() }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileFailure("unlink") }
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure("mkdir") }
    }
}
