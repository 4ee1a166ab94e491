import CPQ
import Database
import Glibc
import Synchronization

/// Everything that it takes to connect.
struct ConnectionSource: Sendable {
    let address: PostgreSQLAddress
    let timeouts: PostgreSQLTimeouts
    let noteRoundTrip: @Sendable () -> Void
    private let reached = ReachedHosts()

    /// Makes connections without a limit of the time for a statement.
    var withoutLimits: ConnectionSource {
        ConnectionSource(address: address, timeouts: timeouts.withoutLimits, noteRoundTrip: noteRoundTrip)
    }

    /// Makes connections whose round trips are not counted.
    var unobserved: ConnectionSource { ConnectionSource(address: address, timeouts: timeouts, noteRoundTrip: {}) }

    /// Number of connections that the writer of this process has made. A reader gives up one that it had before the
    /// last of them: the writer may have left a server that goes on without knowing that it is no longer the primary.
    var writers: Int { reached.writers.load(ordering: .acquiring) }

    /// Connects to a server that accepts writes. A reader does not leave that of the writer, if this process has one,
    /// because it is full: a former primary may believe that it accepts writes.
    ///
    /// - Throws: ``ServerFailure``.
    func connection(for role: PostgreSQLConnection.Role) throws -> PostgreSQLConnection {
        try firstServer(role, stays: role == .reader && writers > 0) { !$0.isStandby }
    }

    /// Connects to a server that accepts writes, or to a standby if every host is one, so that the caller can say so.
    ///
    /// - Throws: ``ServerFailure``; the failure of a host that may be the primary if others are standbys.
    func connectionToExamine(for role: PostgreSQLConnection.Role) throws -> PostgreSQLConnection {
        var standbys = 0
        do {
            return try firstServer(role, leavingOut: Self.wantedServer) { connection in
                if connection.isStandby { standbys += 1 }
                return !connection.isStandby
            }
        } catch let failure as ServerFailure where failure.isPassing && standbys == address.alternatives.count {
            return try anyConnection(for: role)
        }
    }

    /// Connects to any server, even to a standby, beginning with that of the last such connection.
    func anyConnection(for role: PostgreSQLConnection.Role) throws -> PostgreSQLConnection {
        try firstServer(role, leavingOut: Self.wantedServer, from: reached.any) { _ in true }
    }

    /// The parameter with which libpq refuses servers of the other kind.
    private static let wantedServer = "target_session_attrs"

    /// Tries one host after the other, each with a time-out of its own, from the one that was reached last, by the
    /// writer if this process has one.
    ///
    /// - Parameters:
    ///   - place: of the first host; nil: that of the writer.
    ///   - stays: true to try no other host if a server refuses the connection.
    ///   - accepts: returns false for a standby that is not wanted.
    private func firstServer(
        _ role: PostgreSQLConnection.Role, leavingOut option: String? = nil, from place: ReachedHosts.Place? = nil,
        stays: Bool = false, _ accepts: (PostgreSQLConnection) -> Bool
    ) throws -> PostgreSQLConnection {
        let alternatives = address.alternatives.map { parameters in parameters.filter { $0.name != option } }
        let first = (place ?? reached.last).index.load(ordering: .acquiring)
        var failure: (any Error)?
        for index in alternatives.indices.map({ (first + $0) % alternatives.count }) {
            do {
                let connection = try connection(alternatives[index], role)
                guard accepts(connection) else { continue }
                reached.note(index, by: role, place)
                return connection
            } catch let other as ServerFailure where other.isPassing {
                if stays, case .refused = other { throw other }
                failure = failure ?? other
            }
        }
        throw failure ?? ServerFailure.connectionLost(detail: "the server of \(address) is a read-only standby")
    }

    private func connection(
        _ parameters: [(name: String, value: String)], _ role: PostgreSQLConnection.Role
    ) throws -> PostgreSQLConnection {
        let handle = try handle(parameters, role)
        let server = self.parameters(ofServerOf: handle)
        return try PostgreSQLConnection(
            handle: handle, timeouts: timeouts, isServerAlive: { answers(server) }, noteRoundTrip: noteRoundTrip)
    }

    /// Returns the parameters that lead to the same server again, if the address names several.
    private func parameters(ofServerOf handle: OpaquePointer) -> [(name: String, value: String)] {
        let choices = ["host", "hostaddr", "port", "target_session_attrs"]
        var parameters = address.parameters.filter { !choices.contains($0.name) }
        if let host = PQhost(handle), let port = PQport(handle) {
            parameters += [("host", String(cString: host)), ("port", String(cString: port))]
        }
        return parameters
    }

    /// Tells whether a server answers a request to connect, if only to refuse it. Blocks.
    private func answers(_ parameters: [(name: String, value: String)]) -> Bool {
        do {
            PQfinish(try handle(parameters, .reader))
            return true
        } catch ServerFailure.refused {
            return true
        } catch {
            return false
        }
    }

    private func handle(
        _ parameters: [(name: String, value: String)], _ role: PostgreSQLConnection.Role
    ) throws -> OpaquePointer {
        guard let handle = start(parameters, role) else {
            throw ServerFailure.connectionLost(detail: "no memory for a connection")
        }
        do {
            try establish(handle)
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    private func start(
        _ parameters: [(name: String, value: String)], _ role: PostgreSQLConnection.Role
    ) -> OpaquePointer? {
        let settings = [
            ("application_name", "graphd"),
            ("client_encoding", "UTF8"),
            ("options", SessionSettings.options(role, timeouts)),
            ("keepalives_idle", "5"),
            ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(timeouts.unacknowledged.milliseconds)"),
        ]
        let parameters = parameters + settings
        let names = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        func list(_ texts: [UnsafeMutablePointer<CChar>?]) -> [UnsafePointer<CChar>?] {
            texts.map { UnsafePointer($0) } + [nil]
        }
        return PQconnectStartParams(list(names), list(values), 0)
    }

    private func establish(_ handle: OpaquePointer) throws {
        // With the SQLSTATE in the message, which is all that libpq tells about a connection that was refused.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // libpq would print notices on standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        let deadline = ContinuousClock.now + timeouts.connecting
        var isWriting = true
        while PQstatus(handle) != CONNECTION_BAD {
            let socket = PQsocket(handle)
            guard SocketWait.wait(for: socket, reading: !isWriting, writing: isWriting, until: deadline) else {
                throw ServerFailure.connectionLost(
                    detail: "the server of \(address) has not answered within \(timeouts.connecting)")
            }
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: isWriting = false
            case PGRES_POLLING_WRITING: isWriting = true
            default: throw ConnectionRefusal.failure(handle, address)
            }
        }
        throw ConnectionRefusal.failure(handle, address)
    }
}

/// The hosts that connections were made to.
private final class ReachedHosts: Sendable {
    /// The index of a host.
    final class Place: Sendable {
        let index = Atomic(0)
    }

    /// The last one, by the writer if there is one.
    let last = Place()
    /// The last one of those who take any.
    let any = Place()
    let writers = Atomic(0)

    func note(_ index: Int, by role: PostgreSQLConnection.Role, _ place: Place?) {
        place?.index.store(index, ordering: .releasing)
        if role == .writer || writers.load(ordering: .acquiring) == 0 { last.index.store(index, ordering: .releasing) }
        if role == .writer { writers.add(1, ordering: .acquiringAndReleasing) }
    }
}

extension PostgreSQLConnection {
    /// A setting that the server reports by itself.
    func setting(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    var isStandby: Bool { setting("in_hot_standby") == "on" }

    /// Major and minor version, as in 150004.
    var serverVersion: Int { Int(PQserverVersion(handle)) }
}
