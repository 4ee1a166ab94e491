import Glibc
import GraphServices
import MediaFiles

/// Ways to put the content of a file under another path.
enum FileTransfer {
    /// Copies a file of known length. Returns the digest of its content, taken while it is copied.
    ///
    /// - Throws: ``DamagedFile`` if the file has another length; nothing is written then.
    static func copy(_ source: String, to destination: String, bytes: Int64) throws -> FileDigest {
        let file = try RegularFile(source)
        guard file.bytes == bytes else {
            throw DamagedFile(path: source, difference: "it has \(file.bytes) bytes, and \(bytes) were recorded")
        }
        return try copy(file, to: destination, atMost: bytes)
    }

    /// Copies a file of any length up to `limit` bytes.
    static func copy(_ source: String, to destination: String, limit: Int64) throws -> FileDigest {
        try copy(RegularFile(source), to: destination, atMost: limit)
    }

    private static func copy(_ file: RegularFile, to destination: String, atMost limit: Int64) throws -> FileDigest {
        let copy = try NewFile(destination)
        do {
            var total: Int64 = 0
            let digest = try file.read { piece in
                total += Int64(piece.count)
                guard total <= limit else {
                    throw DamagedFile(path: file.path, difference: "it has more than \(limit) bytes")
                }
                try copy.append(piece)
            }
            try copy.finish()
            return digest
        } catch {
            unlink(destination)
            throw error
        }
    }

    /// Gives a file a second name. Returns false if the file systems differ or have no hard links; then only a copy
    /// will do.
    static func link(_ source: String, to destination: String) throws -> Bool {
        if Glibc.link(source, destination) == 0 { return true }
        switch errno {
        case EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS, EACCES: return false
        default: throw FileFault("linked", source)
        }
    }

    /// Creates a directory, readable by its owner only, unless it exists.
    static func makeDirectory(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFault("created", path) }
    }

    /// Returns the names in a directory.
    ///
    /// - Throws: ``FileFault``, also if the path is a symbolic link.
    static func names(in directory: String) throws -> [String] {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault("listed", directory) }
        guard let stream = fdopendir(descriptor) else {
            let fault = FileFault("listed", directory)
            close(descriptor)
            throw fault
        }
        return DirectoryNames.read(closing: stream).sorted()
    }
}
