import Coordination
import RedisClient
import Synchronization

/// The present place of a bucket's windows: one session of the master that serves its slot.
///
/// The bucket is left at the first sign that the master may not be the one that has been written to: a refusal, a lost
/// connection, another history of its data. Until the ``BucketKeeper`` has established the windows again, its readers
/// are answered from the database.
final class BucketHome: Sendable {
    /// A session of the writing connection of a master.
    struct Place: Sendable {
        let master: RedisCluster.Master
        let session: RedisHandshake
    }

    let space: WindowSpace
    private let state = Mutex<Place?>(nil)
    /// Wakes the keeper.
    private let left: Wakeup

    init(space: WindowSpace, left: Wakeup) {
        self.space = space
        self.left = left
    }

    var place: Place? { state.withLock(\.self) }

    /// True while the windows can be read and written.
    var isServed: Bool { space.keys != nil && place?.session.isOpen == true }

    /// Sends commands to `place` from now on. No generation is established yet, so nobody has any.
    func enter(_ place: Place) { state.withLock { $0 = place } }

    /// Sends nothing more to `place`, and ends the use of the generation before anybody can compose another command.
    ///
    /// - Parameter isMoved: true if the slot is, or may have been, at another master: windows there are not trusted.
    func leave(_ place: Place, isMoved: Bool = false) {
        let wasHere = state.withLock { present in
            guard present?.session == place.session else { return false }
            if isMoved { space.doubt() } else { space.suspend() }
            present = nil
            return true
        }
        if wasHere { left.signal() }
    }

    /// Draws the conclusion from an error of `place`; returns the error for the caller.
    func note(_ error: RedisError, from place: Place) -> RedisError {
        if error.isRefusalOfCluster {
            leave(place, isMoved: error.serverCode != "CLUSTERDOWN")
        } else if error.isOutcomeUnknown || !place.session.isOpen {
            leave(place)
        }
        // A session that is closed by us is not the end of the service.
        return error.code == .closed ? .unavailable : error
    }
}

/// A connection to the present place of a bucket, over one session at a time.
protocol BucketConnection: WindowConnection {
    /// Passes the session that the bucket is at to `body`, and draws the conclusion from its error.
    func withSession<T: Sendable>(_ body: (RedisHandshake) async throws -> T) async throws -> T
}

extension BucketConnection {
    func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration?, decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T {
        try await withSession { try await $0.send(command, timeout: timeout, decode: decode) }
    }

    func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration?, decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        try await withSession { try await $0.send(commands, timeout: timeout, decode: decode) }
    }
}

/// The connection that changes the windows of a bucket.
struct BucketWriting: BucketConnection {
    let home: BucketHome

    var state: RedisConnection.State { home.isServed ? .up : .down }
    var givesWay: Bool { home.place?.master.writing.givesWay ?? false }

    func waitUntilUp() async throws {
        while !home.isServed { try await Task.sleep(for: .milliseconds(10)) }
    }

    func reconnect(because renewal: RedisConnection.Renewal) {
        guard let place = home.place else { return }
        if case .fault(let reason) = renewal, reason.hasPrefix("NOSCRIPT") {
            place.master.writing.reconnect(because: renewal)
        }
        home.leave(place)
    }

    func withSession<T: Sendable>(_ body: (RedisHandshake) async throws -> T) async throws -> T {
        guard let place = home.place else { throw RedisError.unavailable }
        do {
            return try await body(place.session)
        } catch let error as RedisError {
            throw home.note(error, from: place)
        }
    }
}

/// The connection that reads the windows of a bucket, at the same master.
struct BucketReading: BucketConnection {
    let home: BucketHome

    var state: RedisConnection.State { home.place?.master.reading.state ?? .down }
    var givesWay: Bool { false }

    func waitUntilUp() async throws { try await BucketWriting(home: home).waitUntilUp() }
    func reconnect(because renewal: RedisConnection.Renewal) { home.place?.master.reading.reconnect(because: renewal) }

    func withSession<T: Sendable>(_ body: (RedisHandshake) async throws -> T) async throws -> T {
        guard let place = home.place, let session = place.master.reading.present else { throw RedisError.unavailable }
        guard session.runID == place.session.runID else {
            // One of the two has outlived its history. Neither knows before its next command.
            place.master.reading.reconnect(because: .fault("two histories of one master"))
            home.leave(place)
            throw RedisError.unavailable
        }
        do {
            return try await body(session)
        } catch let error as RedisError {
            if error.isRefusalOfCluster { throw home.note(error, from: place) }
            throw error.code == .closed ? .unavailable : error
        }
    }
}
