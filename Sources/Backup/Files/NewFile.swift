import Glibc

/// A file that is written once, readable by its owner only.
final class NewFile {
    private let path: String
    private var descriptor: Int32

    /// - Throws: ``FileFault``, also if the file exists.
    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("created", path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw FileFault("written", path)
            }
        }
    }

    /// Returns after the content is on disk.
    func finish() throws {
        guard fsync(descriptor) == 0 else { throw FileFault("written", path) }
        let closed = descriptor
        descriptor = -1
        guard close(closed) == 0 else { throw FileFault("written", path) }
    }

    static func write(_ content: [UInt8], to path: String) throws {
        let file = try NewFile(path)
        try content.withUnsafeBytes { try file.append($0) }
        try file.finish()
    }

    /// Writes a file under a temporary name and then gives it its own, which may be another's until then.
    static func replace(_ path: String, with content: [UInt8], in directory: String) throws {
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        defer { unlink(temporary) }
        try write(content, to: temporary)
        guard rename(temporary, path) == 0 else { throw FileFault("replaced", path) }
        try Flush.directory(directory)
    }
}

/// Waiting for the disk.
enum Flush {
    /// Returns after the entries of a directory are on disk.
    static func directory(_ path: String) throws { try flush(path, O_DIRECTORY) }

    /// Returns after the content of a file is on disk.
    static func file(_ path: String) throws { try flush(path, 0) }

    private static func flush(_ path: String, _ flags: Int32) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw FileFault("opened", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault("written", path) }
    }
}
