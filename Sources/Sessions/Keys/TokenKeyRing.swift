import Database
import Foundation
import Glibc

/// The keys of a graph: the signing key, and its predecessors, which verify until the tokens that they signed have
/// expired. In a data directory, `token.key` holds the first, and `token.keys` the others. A directory that never
/// rotated has no `token.keys`. In a database on a server, one setting holds all.
package struct TokenKeyRing: Sendable, Equatable {
    /// A key that no longer signs. Times are milliseconds since 1970.
    package struct Retired: Sendable, Equatable {
        package let key: TokenKey
        package let retiredAt: Int64
        package let verifiesUntil: Int64
    }

    package static let fileName = "token.keys"
    /// Bytes of `token.keys`.
    private static let fileLimit = 65_536
    /// Number of retired keys that are kept; the oldest is removed first.
    package static let retiredLimit = 32
    /// Longest lifetime of a token, in milliseconds, if none is recorded.
    package static let defaultLifetime: Int64 = 30 * 86_400_000

    package let signing: TokenKey
    /// The retired keys, the latest first.
    package var retired: [Retired] = []
    /// The longest lifetime of a token that was ever issued here, in milliseconds.
    package var longestLifetime = defaultLifetime

    /// All keys that verify at `now`, the signing one first.
    package func verifying(at now: Int64) -> [TokenKey] {
        [signing] + retired.filter { now < $0.verifiesUntil && $0.key != signing }.map(\.key)
    }

    /// Loads the ring; creates the signing key if there is none yet.
    ///
    /// - Throws: `TokenKey.Unusable`.
    package static func load(inDirectory directory: String) throws -> TokenKeyRing {
        var ring = TokenKeyRing(signing: try TokenKey.loadOrCreate(inDirectory: directory))
        let path = directory + "/" + fileName
        guard let bytes = try TokenKey.read(path, upTo: fileLimit) else { return ring }
        guard let stored = try? JSONDecoder().decode(StoredRing.self, from: Data(bytes)),
            let retired = stored.ring
        else {
            let right = "is not a key ring of graphd (if it is removed, sessions of former keys end)"
            throw TokenKey.Unusable(description: "the file \(path) \(right)")
        }
        ring.retired = retired
        ring.longestLifetime = max(stored.longestLifetime, defaultLifetime)
        return ring
    }

    /// Returns true if a directory has a signing key.
    static func exists(inDirectory directory: String) -> Bool {
        FileManager.default.fileExists(atPath: directory + "/" + TokenKey.fileName)
    }

    /// Replaces the keys of a directory.
    ///
    /// - Throws: `TokenKey.Unusable`.
    func store(inDirectory directory: String) throws {
        try Self.locked(directory) {
            try storeRetired(in: directory)
            try TokenKey.store(
                signing.bytes, at: directory + "/" + TokenKey.fileName, in: directory, replacing: true)
        }
    }

    /// Removes the keys of a directory.
    static func remove(fromDirectory directory: String) throws {
        try locked(directory) {
            for name in [fileName, TokenKey.fileName] {
                let path = directory + "/" + name
                guard unlink(path) == 0 || errno == ENOENT else { throw TokenKey.failure("cannot remove", path) }
            }
        }
    }

    /// Replaces the signing key. The old key verifies until its tokens have expired. Concurrent changes of the ring are
    /// made one after the other. A process killed in between leaves a ring that still verifies every token.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - revoking: ends the old keys at once, and with them every token that they signed.
    /// - Throws: `TokenKey.Unusable`.
    package static func rotate(inDirectory directory: String, now: Int64, revoking: Bool = false) throws -> TokenKeyRing
    {
        try locked(directory) {
            let before = try load(inDirectory: directory)
            let after = before.rotated(to: .random(), now: now, revoking: revoking)
            if !revoking { try after.storeRetired(in: directory) }
            // From here on the old key is in both files, or the new one signs.
            try TokenKey.store(
                after.signing.bytes, at: directory + "/" + TokenKey.fileName, in: directory, replacing: true)
            if revoking { try after.storeRetired(in: directory) }
            return after
        }
    }

    /// Records that a token of this lifetime, in milliseconds, is about to be issued.
    ///
    /// - Throws: `TokenKey.Unusable`.
    package static func note(lifetime: Int64, inDirectory directory: String) throws {
        try locked(directory) {
            var ring = try load(inDirectory: directory)
            guard lifetime > ring.longestLifetime else { return }
            ring.longestLifetime = lifetime
            try ring.storeRetired(in: directory)
        }
    }

    func rotated(to key: TokenKey, now: Int64, revoking: Bool) -> TokenKeyRing {
        var ring = TokenKeyRing(signing: key, longestLifetime: longestLifetime)
        guard !revoking else { return ring }
        let (until, overflows) = now.addingReportingOverflow(longestLifetime)
        let leaving = Retired(key: signing, retiredAt: now, verifiesUntil: overflows ? .max : until)
        // An interrupted rotation has left the present key among the retired ones.
        let others = retired.filter { now < $0.verifiesUntil && $0.key != signing }
        ring.retired = Array(([leaving] + others).prefix(Self.retiredLimit))
        return ring
    }

    private func storeRetired(in directory: String) throws {
        try TokenKey.store(
            Array(try encoded(withSigning: false)), at: directory + "/" + Self.fileName, in: directory,
            replacing: true)
    }

    private func encoded(withSigning: Bool) throws -> Data {
        let stored = StoredRing(
            version: 1, longestLifetime: longestLifetime,
            signing: withSigning ? Base64URL.encode(signing.bytes) : nil,
            retired: retired.map {
                .init(
                    key: Base64URL.encode($0.key.bytes), retiredAt: $0.retiredAt, verifiesUntil: $0.verifiesUntil)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(stored) else {
            throw TokenKey.Unusable(description: "the key ring cannot be encoded")
        }
        return data
    }

    private static func locked<Value>(_ directory: String, _ body: () throws -> Value) throws -> Value {
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw TokenKey.failure("cannot open", directory) }
        defer { close(folder) }
        while flock(folder, LOCK_EX) != 0 {
            guard errno == EINTR else { throw TokenKey.failure("cannot lock", directory) }
        }
        return try body()
    }
}

extension TokenKeyRing {
    /// Decodes the setting of a database.
    ///
    /// - Throws: `TokenKey.Unusable`.
    init(setting text: String) throws {
        guard let stored = try? JSONDecoder().decode(StoredRing.self, from: Data(text.utf8)),
            let retired = stored.ring, let bytes = stored.signing.flatMap(Base64URL.decode),
            bytes.count == TokenKey.length
        else {
            let right = "is not a key ring of graphd (if it is removed, all sessions end)"
            throw TokenKey.Unusable(description: "the setting \"\(SettingStore.tokenKeys)\" \(right)")
        }
        self.init(
            signing: TokenKey(bytes: bytes), retired: retired,
            longestLifetime: max(stored.longestLifetime, Self.defaultLifetime))
    }

    /// The setting of a database that holds the ring.
    var setting: String {
        get throws { String(decoding: try encoded(withSigning: true), as: UTF8.self) }
    }
}

/// `token.keys`, or the setting of a database, as JSON.
private struct StoredRing: Codable {
    struct Key: Codable {
        let key: String
        let retiredAt: Int64
        let verifiesUntil: Int64
    }

    let version: Int
    let longestLifetime: Int64
    /// The signing key; nil in a file, beside which it has one of its own.
    var signing: String?
    let retired: [Key]

    /// The retired keys; nil if the file was not written by this version.
    var ring: [TokenKeyRing.Retired]? {
        guard version == 1, retired.count <= TokenKeyRing.retiredLimit else { return nil }
        var keys: [TokenKeyRing.Retired] = []
        for entry in retired {
            guard let bytes = Base64URL.decode(entry.key), bytes.count == TokenKey.length else { return nil }
            keys.append(
                .init(key: TokenKey(bytes: bytes), retiredAt: entry.retiredAt, verifiesUntil: entry.verifiesUntil))
        }
        return keys
    }
}
