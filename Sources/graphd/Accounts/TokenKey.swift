import Foundation
import Glibc

/// The key that signs tokens: 32 random bytes in `<data-dir>/token.key`, readable by its owner alone.
struct TokenKey: Sendable {
    static let fileName = "token.key"
    static let length = 32

    let bytes: [UInt8]

    /// Why a key file cannot be used. The text is for the operator.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// Loads the key, or makes it if there is none yet. Of several processes that make it at once, one wins and all
    /// load the same key.
    ///
    /// - Throws: `Unusable`.
    static func loadOrCreate(inDirectory directory: String) throws -> TokenKey {
        let path = directory + "/" + fileName
        if let key = try load(path) {
            return key
        }
        try create(path, directory: directory)
        guard let key = try load(path) else {
            throw Unusable(description: "the token key \(path) vanished while it was being made")
        }
        return key
    }

    private static func load(_ path: String) throws -> TokenKey? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT {
                return nil
            }
            throw failure("cannot open", path)
        }
        defer { close(file) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let permissions = attributes?[.posixPermissions] as? Int else {
            throw failure("cannot examine", path)
        }
        guard permissions & 0o077 == 0 else {
            let mode = String(permissions, radix: 8)
            throw Unusable(description: "the token key \(path) has mode \(mode); it must be 600 (chmod 600 \(path))")
        }
        var bytes = [UInt8](repeating: 0, count: length + 1)
        let count = read(file, &bytes, bytes.count)
        guard count == length else {
            let right = "must have exactly \(length) bytes (removing it makes a new one and ends all sessions)"
            throw Unusable(description: "the token key \(path) \(right)")
        }
        return TokenKey(bytes: Array(bytes.prefix(length)))
    }

    /// Writes a whole file under a name of its own, makes it durable, and only then links it to the real name: a crash
    /// leaves either no key or a whole one, and an existing key is never replaced.
    private static func create(_ path: String, directory: String) throws {
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw failure("cannot create", temporary)
        }
        defer { unlink(temporary) }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let isWritten = write(file, bytes, length) == length && fsync(file) == 0
        let writeError = failure("cannot write", temporary)
        guard close(file) == 0, isWritten else {
            throw writeError
        }
        // link, not rename: rename would replace the key that another process made meanwhile.
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw failure("cannot create", path)
        }
        let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else {
            throw failure("cannot open", directory)
        }
        defer { close(parent) }
        guard fsync(parent) == 0 else {
            throw failure("cannot sync", directory)
        }
    }

    private static func failure(_ what: String, _ path: String) -> Unusable {
        Unusable(description: "\(what) \(path): \(String(cString: strerror(errno)))")
    }
}
