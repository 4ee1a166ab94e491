import Crypto
import Database
import Foundation
import Glibc

/// A key that signs tokens: 32 random bytes. The present one is in `<data-dir>/token.key`, readable only by its owner.
package struct TokenKey: Sendable, Equatable {
    package static let fileName = "token.key"
    package static let length = 32

    package let bytes: [UInt8]

    /// The name of the key in the header of its tokens (`kid`). It reveals nothing about the key.
    package var id: String {
        Base64URL.encode(Array(SHA256.hash(data: Array("graphd token key".utf8) + bytes).prefix(9)))
    }

    /// Returns a new key.
    package static func random() -> TokenKey {
        var generator = SystemRandomNumberGenerator()
        return TokenKey(bytes: (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The reason why a key file cannot be used. The text is for the operator.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Loads the key, or creates it if there is none yet. If several processes create it at once, one wins and all load
    /// the same key.
    ///
    /// - Throws: `Unusable`.
    static func loadOrCreate(inDirectory directory: String) throws -> TokenKey {
        let path = directory + "/" + fileName
        if let key = try load(path) {
            return key
        }
        try store(TokenKey.random().bytes, at: path, in: directory, replacing: false)
        guard let key = try load(path) else {
            throw Unusable(description: "the token key \(path) vanished while it was being created")
        }
        return key
    }

    private static func load(_ path: String) throws -> TokenKey? {
        guard let bytes = try read(path, upTo: length + 1) else { return nil }
        guard bytes.count == length else {
            let right =
                "must have exactly \(length) bytes (if it is removed, graphd creates a new one and all sessions end)"
            throw Unusable(description: "the token key \(path) \(right)")
        }
        return TokenKey(bytes: bytes)
    }

    /// Reads a file of secrets; nil if there is none.
    ///
    /// - Throws: `Unusable`, also if others than the owner may read or write the file.
    package static func read(_ path: String, upTo limit: Int) throws -> [UInt8]? {
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
            throw Unusable(description: "the file \(path) has mode \(mode); it must be 600 (chmod 600 \(path))")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure("cannot read", path) }
        return Array(bytes.prefix(count))
    }

    /// Writes a file of secrets durably, as a whole.
    ///
    /// - Parameter replacing: true if an existing file of that name is replaced; otherwise it stays.
    /// - Throws: `Unusable`.
    package static func store(_ bytes: [UInt8], at path: String, in directory: String, replacing: Bool) throws {
        do {
            try DurableFile.write(bytes, to: path, in: directory, replacing: replacing)
        } catch {
            throw Unusable(description: "\(error.act) \(error.path): \(String(cString: strerror(error.number)))")
        }
    }

    package static func failure(_ what: String, _ path: String) -> Unusable {
        Unusable(description: "\(what) \(path): \(String(cString: strerror(errno)))")
    }
}
