import CPQ
import Database
import Glibc
import Synchronization

/// Everything that it takes to connect.
struct ConnectionSource: Sendable {
    let address: PostgreSQLAddress
    let timeouts: PostgreSQLTimeouts
    let noteRoundTrip: @Sendable () -> Void
    private let reached: ReachedHosts

    init(address: PostgreSQLAddress, timeouts: PostgreSQLTimeouts, noteRoundTrip: @escaping @Sendable () -> Void) {
        self.init(address, timeouts, noteRoundTrip, ReachedHosts())
    }

    private init(
        _ address: PostgreSQLAddress, _ timeouts: PostgreSQLTimeouts, _ noteRoundTrip: @escaping @Sendable () -> Void,
        _ reached: ReachedHosts
    ) {
        (self.address, self.timeouts, self.noteRoundTrip, self.reached) = (address, timeouts, noteRoundTrip, reached)
    }

    /// Makes connections without a limit of the time for a statement.
    var withoutLimits: ConnectionSource { ConnectionSource(address, timeouts.withoutLimits, noteRoundTrip, reached) }

    /// Makes connections whose round trips are not counted.
    var unobserved: ConnectionSource { ConnectionSource(address, timeouts, {}, reached) }

    /// Number of connections that the writer of this process has taken. A reader gives up one that it had before the
    /// last of them: the writer may have left a server that goes on and does not know that it is no longer the primary.
    var writers: Int { reached.writers.load(ordering: .acquiring) }

    /// The index of the host with which readers begin: that of the writer, if this process has one.
    var hostOfReaders: Int { reached.first(for: .reader) }

    /// Sets what is called when readers cannot reach the server of the writer, which may have to look for another.
    func whenWriterMustBeExamined(_ examine: @escaping @Sendable () -> Void) { reached.setExamination(examine) }

    /// Returns a connection of the writer. If the address names several hosts, one that the writer has not had before,
    /// or has passed over, is examined before anything is asked of it and before readers follow.
    ///
    /// - Parameter isDoubted: true if one that the writer has had is examined as well.
    /// - Throws: ``ServerFailure``.
    func writerConnection(
        until deadline: ContinuousClock.Instant?, isDoubted: Bool = false
    ) throws -> PostgreSQLConnection {
        let connection = try connection(for: .writer, until: deadline)
        if address.alternatives.count > 1, isDoubted || !reached.isConfirmed(connection.host) {
            let end = ContinuousClock.now + timeouts.patience / 2
            try examine(connection, until: deadline.map { min($0, end) } ?? end)
        }
        confirm(connection)
        return connection
    }

    /// Makes a server that of the writer, which readers follow.
    func confirm(_ connection: PostgreSQLConnection) { reached.confirm(connection.host) }

    /// Makes sure that the server commits. If it does not in time, the writer begins its next search with another host.
    func examine(_ connection: PostgreSQLConnection, until deadline: ContinuousClock.Instant) throws {
        do {
            try CommitExamination.commit(on: connection, until: deadline)
        } catch {
            if connection.isOverdue { cancelExamination(on: connection) }
            passOverIfOverdue(connection)
            throw error
        }
    }

    /// Ends an examination that was not answered. A server that waits for a standby does not notice that its client is
    /// gone, so each one would take up a session until the standby is back. It leaves nothing behind, so it may as well
    /// be committed without the standby.
    private func cancelExamination(on connection: PostgreSQLConnection) {
        // The request is a copy of what it takes to reach the server. Only the new thread has its address.
        let address = UInt(bitPattern: PQgetCancel(connection.handle))
        DriverThread.start("graphd.cancel") {
            let request = OpaquePointer(bitPattern: address)
            defer { PQfreeCancel(request) }
            var reason = [CChar](repeating: 0, count: 256)
            // libpq waits until the server closes the connection of the request, which takes no session.
            PQcancel(request, &reason, CInt(reason.count))
        }
    }

    /// Lets the writer begin its next search with another host, if a server is silent or does not commit: it may be a
    /// former primary, which waits for a standby that is the primary now.
    func passOverIfOverdue(_ connection: PostgreSQLConnection) {
        if connection.isOverdue { reached.passOver(connection.host) }
    }

    /// Connects to a server that accepts writes, or for a reader, if there is none, to one that was set to refuse them.
    /// A reader goes to that of the writer only, if this process has one, and asks for its examination if it cannot: a
    /// former primary may believe that it accepts writes.
    ///
    /// - Parameter deadline: the end of the caller's patience; nil: each host has its time.
    /// - Throws: ``ServerFailure``.
    func connection(
        for role: PostgreSQLConnection.Role, until deadline: ContinuousClock.Instant? = nil
    ) throws -> PostgreSQLConnection {
        let before = writers
        let isBound = role == .reader && before > 0
        do {
            return try firstServer(
                role, orReadOnly: role == .reader, most: isBound ? 1 : .max, until: deadline,
                unless: isBound ? { writers != before } : nil)
        } catch let failure as ServerFailure where failure.isPassing {
            if role == .writer {
                // Silent hosts may have taken all the time, so the next search begins with another.
                reached.passOver(reached.first(for: .writer))
            } else if isBound, !failure.isOfFullServer, deadline.map({ $0 > .now }) ?? true, writers == before {
                examineServerOfWriter()
            }
            throw failure
        }
    }

    /// Lets the writer find out whether its server still commits, if it could go to another.
    func examineServerOfWriter() {
        if address.alternatives.count > 1, writers > 0 { reached.askForExamination() }
    }

    /// Connects to a server that accepts writes, or to another if none does, so that the caller can say so.
    ///
    /// - Throws: ``ServerFailure``; the failure of a host that may be the primary if others are standbys.
    func connectionToExamine(for role: PostgreSQLConnection.Role) throws -> PostgreSQLConnection {
        var standbys = 0
        do {
            let connection = try firstServer(
                role, leavingOut: Self.wantedServer, orReadOnly: true,
                accepting: { connection in
                    if connection.isStandby { standbys += 1 }
                    return connection.acceptsWrites
                })
            reached.note(connection.host)
            return connection
        } catch let failure as ServerFailure where failure.isPassing && standbys == address.alternatives.count {
            return try anyConnection(for: role)
        }
    }

    /// Connects to any server, even to a standby.
    ///
    /// - Parameter passedOver: number of hosts that were found wanting: the search begins so many later.
    func anyConnection(
        for role: PostgreSQLConnection.Role, passingOver passedOver: Int = 0,
        until deadline: ContinuousClock.Instant? = nil
    ) throws -> PostgreSQLConnection {
        try firstServer(
            role, leavingOut: Self.wantedServer, passingOver: passedOver, until: deadline, accepting: { _ in true })
    }

    /// The parameter with which libpq refuses servers of the other kind.
    private static let wantedServer = "target_session_attrs"

    /// Tries one host after the other, each with a time-out of its own, from the one that was reached last, by the
    /// writer if this process has one, or for the writer from the one after a host that it has passed over.
    ///
    /// - Parameters:
    ///   - orReadOnly: true to take a server that was set to refuse writes, and is no standby, if none is accepted.
    ///   - passedOver: number of hosts to leave out at first.
    ///   - most: number of hosts to try.
    ///   - deadline: the end of all attempts; nil: each has its time.
    ///   - isObsolete: asked repeatedly whether the connection is no longer needed.
    ///   - accepts: returns false for a server that is not wanted, such as a standby.
    /// - Throws: ``ServerFailure``: a refusal if all hosts refuse the connection. That of some hosts is passing: they
    ///   may have been shut out, and another may be about to become the primary.
    private func firstServer(
        _ role: PostgreSQLConnection.Role, leavingOut option: String? = nil, orReadOnly: Bool = false,
        passingOver passedOver: Int = 0, most: Int = .max, until deadline: ContinuousClock.Instant? = nil,
        unless isObsolete: (() -> Bool)? = nil,
        accepting accepts: (PostgreSQLConnection) -> Bool = { $0.acceptsWrites }
    ) throws -> PostgreSQLConnection {
        let alternatives = address.alternatives.map { parameters in parameters.filter { $0.name != option } }
        let first = reached.first(for: role) + passedOver
        var (failure, refusals): (ServerFailure?, [ServerFailure]) = (nil, [])
        var readOnly: PostgreSQLConnection?
        for index in alternatives.indices.prefix(most).map({ (first + $0) % alternatives.count }) {
            do {
                let connection = try connection(alternatives[index], role, until: deadline, unless: isObsolete)
                connection.host = index
                guard accepts(connection) else {
                    if !connection.isStandby { readOnly = readOnly ?? connection }
                    continue
                }
                if role == .reader { reached.note(index) }
                return connection
            } catch let other as ServerFailure where other.isPassing {
                failure = failure ?? other
            } catch let refusal as ServerFailure {
                refusals.append(refusal)
            }
        }
        if orReadOnly, let readOnly {
            if role == .reader { reached.note(readOnly.host) }
            return readOnly
        }
        if let refusal = refusals.first {
            if refusals.count == alternatives.count { throw refusal }
            throw ServerFailure.connectionLost(
                detail: [failure, refusal].compactMap(\.?.description).joined(separator: "; "))
        }
        throw failure ?? .connectionLost(detail: "the server of \(address) is read-only")
    }

    private func connection(
        _ parameters: [(name: String, value: String)], _ role: PostgreSQLConnection.Role,
        until deadline: ContinuousClock.Instant?, unless isObsolete: (() -> Bool)? = nil
    ) throws -> PostgreSQLConnection {
        let handle = try handle(parameters, role, until: deadline, unless: isObsolete)
        let server = self.parameters(ofServerOf: handle)
        return try PostgreSQLConnection(
            handle: handle, timeouts: timeouts, isServerAlive: { answers(server, until: $0) },
            noteRoundTrip: noteRoundTrip)
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
    private func answers(
        _ parameters: [(name: String, value: String)], until deadline: ContinuousClock.Instant
    ) -> Bool {
        do {
            PQfinish(try handle(parameters, .reader, until: deadline))
            return true
        } catch ServerFailure.refused {
            return true
        } catch {
            return false
        }
    }

    private func handle(
        _ parameters: [(name: String, value: String)], _ role: PostgreSQLConnection.Role,
        until deadline: ContinuousClock.Instant?, unless isObsolete: (() -> Bool)? = nil
    ) throws -> OpaquePointer {
        guard let handle = start(parameters, role) else {
            throw ServerFailure.connectionLost(detail: "no memory for a connection")
        }
        do {
            try establish(handle, until: deadline, unless: isObsolete)
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

    /// Time between two questions whether a connection that is being made is still of use.
    private static let lookPeriod = Duration.milliseconds(50)

    private func establish(
        _ handle: OpaquePointer, until limit: ContinuousClock.Instant?, unless isObsolete: (() -> Bool)?
    ) throws {
        // With the SQLSTATE in the message, which is all that libpq tells about a connection that was refused.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // libpq would print notices on standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        let end = ContinuousClock.now + timeouts.connecting
        let deadline = limit.map { min($0, end) } ?? end
        var isWriting = true
        while PQstatus(handle) != CONNECTION_BAD {
            let socket = PQsocket(handle)
            let look = isObsolete == nil ? deadline : min(deadline, .now + Self.lookPeriod)
            guard SocketWait.wait(for: socket, reading: !isWriting, writing: isWriting, until: look) else {
                if isObsolete?() == false, .now < deadline { continue }
                throw ServerFailure.connectionLost(
                    detail: "the server of \(address) has not answered a request to connect in time")
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

extension PostgreSQLConnection {
    /// A setting that the server reports by itself.
    func setting(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    var isStandby: Bool { setting("in_hot_standby") == "on" }

    /// False for a standby, and for a server that was set to refuse writes.
    var acceptsWrites: Bool { !isStandby && setting("default_transaction_read_only") != "on" }

    /// Major and minor version, as in 150004.
    var serverVersion: Int { Int(PQserverVersion(handle)) }
}
