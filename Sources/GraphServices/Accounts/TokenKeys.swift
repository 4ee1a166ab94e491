import CoreFoundation
import Foundation
import Glibc
import JWTKit
import Sessions
import Synchronization

/// The key ring with which a process signs and verifies. Another process may rotate it: its place is looked at at most
/// once a second.
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
        var stamp: TokenKeyPlace.Stamp?
        /// Milliseconds since 1970.
        var lookedAt: Int64
    }

    /// The place of the ring; nil if the ring does not change.
    private let place: TokenKeyPlace?
    private let state: Mutex<State>

    /// Loads a ring; creates its key if there is none yet.
    ///
    /// - Throws: `TokenKey.Unusable`; `DatabaseError`.
    package init(in place: TokenKeyPlace) async throws {
        self.place = place
        let (ring, stamp) = try await place.load()
        state = Mutex(State(snapshot: await Snapshot(ring, generation: 0), stamp: stamp, lookedAt: 0))
    }

    /// Loads the ring of a data directory; creates its key if there is none yet.
    ///
    /// - Throws: `TokenKey.Unusable`.
    package convenience init(directory: String) async throws { try await self.init(in: .files(directory)) }

    /// Creates a ring that does not change.
    package init(_ ring: TokenKeyRing) async {
        place = nil
        state = Mutex(State(snapshot: await Snapshot(ring, generation: 0), stamp: nil, lookedAt: 0))
    }

    /// Returns the present ring. A place that cannot be read just now leaves it unchanged.
    ///
    /// - Parameter now: milliseconds since 1970.
    func current(now: Int64) async -> Snapshot {
        let (known, isDue) = state.withLock { state in
            let isDue = place != nil && (now < state.lookedAt || now - state.lookedAt >= 1_000)
            if isDue { state.lookedAt = now }
            return (state.snapshot, isDue)
        }
        guard isDue else { return known }
        return (try? await reload(onlyIfChanged: true)) ?? known
    }

    /// Reads the ring again.
    ///
    /// - Throws: `TokenKey.Unusable`, `DatabaseError`; the ring stays unchanged then.
    @discardableResult
    package func reload(onlyIfChanged: Bool = false) async throws -> Snapshot {
        let (known, knownStamp) = state.withLock { ($0.snapshot, $0.stamp) }
        guard let place else { return known }
        if onlyIfChanged, let knownStamp, try await !place.hasChanged(since: knownStamp) { return known }
        let (ring, stamp) = try await place.load()
        guard ring != known.ring else {
            state.withLock { $0.stamp = stamp }
            return known
        }
        let fresh = await Snapshot(ring, generation: known.generation + 1)
        return state.withLock { state in
            // Two concurrent reads have read the same ring.
            if state.snapshot.generation == known.generation {
                state.snapshot = fresh
                state.stamp = stamp
            }
            return state.snapshot
        }
    }

    /// Makes sure that keys verify for long enough for a token of this lifetime, in milliseconds.
    ///
    /// - Throws: `TokenKey.Unusable`, `DatabaseError`.
    func prepare(lifetime: Int64, _ snapshot: Snapshot) async throws {
        guard lifetime > snapshot.ring.longestLifetime, let place else { return }
        try await place.note(lifetime: lifetime)
        try await reload()
    }
}
