import Database

/// The place where the keys of a graph are: files of the data directory, or the database if it is on a server, so that
/// a token is good on every node.
package enum TokenKeyPlace: Sendable {
    case files(_ directory: String)
    case setting(SettingStore)

    /// A state of a place, to tell whether it has changed.
    package enum Stamp: Sendable, Equatable {
        case files([FileStamp])
        case setting(String)
    }

    /// Returns the place of the keys of a graph. Keys that are in the other one, as after a move of the graph, are
    /// carried over if there are none in the right one.
    ///
    /// - Parameter isOnServer: true if the database is on a server.
    /// - Throws: `TokenKey.Unusable`; `DatabaseError`.
    package static func open(
        directory: String, _ database: any GraphDatabase, isOnServer: Bool
    ) async throws -> TokenKeyPlace {
        let settings = SettingStore(database: database)
        if isOnServer {
            try await carry(fromDirectory: directory, to: database, settings)
            return .setting(settings)
        }
        if let text = try await settings.setting(SettingStore.tokenKeys) {
            try TokenKeyRing(setting: text).store(inDirectory: directory)
            try await database.write { try SettingStore.Writer($0).remove(SettingStore.tokenKeys) }
        }
        return .files(directory)
    }

    private static func carry(
        fromDirectory directory: String, to database: any GraphDatabase, _ settings: SettingStore
    ) async throws {
        guard try await settings.setting(SettingStore.tokenKeys) == nil else { return }
        let isCarried = TokenKeyRing.exists(inDirectory: directory)
        let ring = isCarried ? try TokenKeyRing.load(inDirectory: directory) : TokenKeyRing(signing: .random())
        let text = try ring.setting
        let isStored = try await database.write { transaction in
            // Another node may have been first.
            guard try SettingStore.Reader(transaction).setting(SettingStore.tokenKeys) == nil else { return false }
            try SettingStore.Writer(transaction).store(text, as: SettingStore.tokenKeys)
            return true
        }
        // A key that is revoked later must not come back from here.
        if isCarried, isStored { try TokenKeyRing.remove(fromDirectory: directory) }
    }

    /// Replaces the signing key. The old key verifies until its tokens have expired.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - revoking: ends the old keys at once, and with them every token that they signed.
    /// - Throws: `TokenKey.Unusable`; `DatabaseError`.
    package func rotate(now: Int64, revoking: Bool = false) async throws -> TokenKeyRing {
        switch self {
        case .files(let directory):
            return try TokenKeyRing.rotate(inDirectory: directory, now: now, revoking: revoking)
        case .setting(let settings):
            return try await settings.change { $0.rotated(to: .random(), now: now, revoking: revoking) }
        }
    }

    /// Returns the ring; creates the signing key of a directory if there is none yet.
    ///
    /// - Throws: `TokenKey.Unusable`; `DatabaseError`.
    package func ring() async throws -> TokenKeyRing { try await load().ring }

    /// Returns the ring and its stamp, taken before the ring is read: a change in between is noticed next time.
    package func load() async throws -> (ring: TokenKeyRing, stamp: Stamp) {
        switch self {
        case .files(let directory):
            let stamp = Self.stamp(of: directory)
            return (try TokenKeyRing.load(inDirectory: directory), stamp)
        case .setting(let settings):
            let text = try await settings.tokenKeys()
            return (try TokenKeyRing(setting: text), .setting(text))
        }
    }

    package func hasChanged(since stamp: Stamp) async throws -> Bool {
        switch self {
        case .files(let directory): Self.stamp(of: directory) != stamp
        case .setting(let settings): .setting(try await settings.tokenKeys()) != stamp
        }
    }

    /// Records that a token of this lifetime, in milliseconds, is about to be issued.
    package func note(lifetime: Int64) async throws {
        switch self {
        case .files(let directory): try TokenKeyRing.note(lifetime: lifetime, inDirectory: directory)
        case .setting(let settings):
            _ = try await settings.change { before in
                var ring = before
                ring.longestLifetime = max(lifetime, before.longestLifetime)
                return ring
            }
        }
    }

    private static func stamp(of directory: String) -> Stamp {
        .files([TokenKey.fileName, TokenKeyRing.fileName].map { FileStamp(directory + "/" + $0) })
    }
}

extension SettingStore {
    /// The setting with the keys.
    fileprivate func tokenKeys() async throws -> String {
        guard let text = try await setting(Self.tokenKeys) else { throw missing }
        return text
    }

    private var missing: TokenKey.Unusable {
        TokenKey.Unusable(description: "the setting \"\(Self.tokenKeys)\" has been removed; restart graphd")
    }

    /// Changes the ring in one transaction, after all changes by other nodes.
    fileprivate func change(
        _ body: @escaping @Sendable (TokenKeyRing) -> TokenKeyRing
    ) async throws -> TokenKeyRing {
        try await writeSettings { reader, writer in
            guard let text = try reader.setting(Self.tokenKeys) else { throw missing }
            let ring = body(try TokenKeyRing(setting: text))
            try writer.store(try ring.setting, as: Self.tokenKeys)
            return ring
        }
    }
}
