import CoreFoundation
import Foundation
import Glibc
import JWTKit
import Synchronization

/// The key ring with which a process signs and verifies. Another process may rotate it: the files are checked at most
/// once a second, and read if they have changed.
package final class TokenKeys: Sendable {
    /// The ring at one time, ready for use.
    package struct Snapshot: Sendable {
        let ring: TokenKeyRing
        /// The number of changes so far.
        let generation: Int
        package let signing: JWTKeyCollection
        private let verifying: [String: JWTKeyCollection]

        fileprivate init(_ ring: TokenKeyRing, generation: Int) async {
            self.ring = ring
            self.generation = generation
            var collections: [String: JWTKeyCollection] = [:]
            for key in [ring.signing] + ring.retired.map(\.key) where collections[key.id] == nil {
                collections[key.id] = await JWTKeyCollection().add(
                    hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256, kid: JWKIdentifier(string: key.id))
            }
            verifying = collections
            signing = collections[ring.signing.id] ?? JWTKeyCollection()
        }

        /// Returns the keys that may have signed a token with this `kid`; all keys for an older token without one.
        func candidates(_ kid: String?, now: Int64) -> [JWTKeyCollection] {
            ring.verifying(at: now).compactMap { key in
                let id = key.id
                return kid == nil || kid == id ? verifying[id] : nil
            }
        }
    }

    private struct State {
        var snapshot: Snapshot
        var stamps: [FileStamp]
        /// Milliseconds since 1970.
        var lookedAt: Int64
    }

    /// The data directory; nil if the ring does not change.
    private let directory: String?
    private let state: Mutex<State>

    /// Loads the ring of a data directory; creates its key if there is none yet.
    ///
    /// - Throws: `TokenKey.Unusable`.
    package init(directory: String) async throws {
        self.directory = directory
        let stamps = Self.stamps(in: directory)
        let snapshot = await Snapshot(try TokenKeyRing.load(inDirectory: directory), generation: 0)
        state = Mutex(State(snapshot: snapshot, stamps: stamps, lookedAt: 0))
    }

    /// Creates a ring that does not change.
    package init(_ ring: TokenKeyRing) async {
        directory = nil
        state = Mutex(State(snapshot: await Snapshot(ring, generation: 0), stamps: [], lookedAt: 0))
    }

    /// Returns the present ring. Files that cannot be read just now leave it unchanged.
    ///
    /// - Parameter now: milliseconds since 1970.
    func current(now: Int64) async -> Snapshot {
        let (known, isDue) = state.withLock { state in
            let isDue = directory != nil && (now < state.lookedAt || now - state.lookedAt >= 1_000)
            if isDue { state.lookedAt = now }
            return (state.snapshot, isDue)
        }
        guard isDue else { return known }
        return (try? await reload(onlyIfChanged: true)) ?? known
    }

    /// Reads the files again.
    ///
    /// - Throws: `TokenKey.Unusable`; the ring stays unchanged then.
    @discardableResult
    package func reload(onlyIfChanged: Bool = false) async throws -> Snapshot {
        let (known, knownStamps) = state.withLock { ($0.snapshot, $0.stamps) }
        guard let directory else { return known }
        // Taken before the files are read: a change in between is noticed next time.
        let stamps = Self.stamps(in: directory)
        if onlyIfChanged, stamps == knownStamps { return known }
        let ring = try TokenKeyRing.load(inDirectory: directory)
        guard ring != known.ring else {
            state.withLock { $0.stamps = stamps }
            return known
        }
        let fresh = await Snapshot(ring, generation: known.generation + 1)
        return state.withLock { state in
            // Two concurrent reads have read the same ring.
            if state.snapshot.generation == known.generation {
                state.snapshot = fresh
                state.stamps = stamps
            }
            return state.snapshot
        }
    }

    /// Makes sure that keys verify for long enough for a token of this lifetime, in milliseconds.
    ///
    /// - Throws: `TokenKey.Unusable`.
    func prepare(lifetime: Int64, _ snapshot: Snapshot) async throws {
        guard lifetime > snapshot.ring.longestLifetime, let directory else { return }
        try TokenKeyRing.note(lifetime: lifetime, inDirectory: directory)
        try await reload()
    }

    private static func stamps(in directory: String) -> [FileStamp] {
        [TokenKey.fileName, TokenKeyRing.fileName].map { FileStamp(directory + "/" + $0) }
    }
}
