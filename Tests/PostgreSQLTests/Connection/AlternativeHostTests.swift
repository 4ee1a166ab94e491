import PostgreSQLTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// Addresses that name several hosts.
@Suite(.timeLimit(.process))
struct AlternativeHostTests {
    /// - Parameter connecting: the time for one host; by default so long that no busy machine reaches it.
    private static func source(
        _ address: PostgreSQLAddress, connecting: Duration = .seconds(60)
    ) -> ConnectionSource {
        var timeouts = PostgreSQLTimeouts()
        timeouts.connecting = connecting
        return ConnectionSource(address: address, timeouts: timeouts, noteRoundTrip: {})
    }

    private static func address(_ peers: ScriptedPeer...) throws -> PostgreSQLAddress { try address(of: peers) }

    private static func address(of peers: [ScriptedPeer]) throws -> PostgreSQLAddress {
        let hosts = peers.map(\.directory).joined(separator: ",")
        return try PostgreSQLAddress(parsing: "postgres://graphd@/graph?host=\(hosts)")
    }

    /// A peer that greets nobody, or everybody as a server with `settings`.
    private static func peer(
        greets: Bool, _ settings: [String: String] = [:], counting connections: Counter = Counter()
    ) throws -> ScriptedPeer {
        try ScriptedPeer { client in
            try client.readStartup()
            _ = connections.next()
            if greets { try client.write(ServerMessage.welcome(with: settings)) }
            try client.waitUntilGone()
        }
    }

    @Test(arguments: [
        ("postgres://ann@one,two/graph", [["one", ""], ["two", ""]]),
        ("postgres://ann@one:1,two:2/graph", [["one", "1"], ["two", "2"]]),
        ("postgres://ann@one:1,two/graph", [["one", "1"], ["two", ""]]),
        ("postgres://ann@/graph?host=/a,/b&port=7", [["/a", "7"], ["/b", "7"]]),
        ("postgres://ann@one/graph", [["one", ""]]),
        ("postgres://ann@/graph?host=/a,/b,/c&port=7,8", [["/a,/b,/c", "7,8"]]),
    ])
    func `each host has its port and the other parameters`(text: String, hosts: [[String]]) throws {
        let found = try PostgreSQLAddress(parsing: text).alternatives.map { parameters in
            func value(_ name: String) -> String { parameters.first { $0.name == name }?.value ?? "" }
            #expect(value("user") == "ann" && value("dbname") == "graph")
            return [value("host"), value("port")]
        }
        #expect(found == hosts)
    }

    @Test
    func `a silent host does not keep the next from being tried, and is tried last afterwards`() async throws {
        try await onThread {
            let connections = Counter()
            let silent = try Self.peer(greets: false, counting: connections)
            let good = try Self.peer(greets: true)
            defer {
                silent.stop()
                good.stop()
            }
            // The silent host is given up after this time, within which the other greets even on a busy machine.
            let source = Self.source(try Self.address(silent, good), connecting: .seconds(20))
            for _ in 0..<3 { _ = try source.connection(for: .reader) }
            // The next number; the silent host was asked by the first attempt only.
            #expect(connections.next() == 2)
        }
    }

    /// The other may be a former primary, which believes that it is the present one.
    @Test func `readers do not leave the server of the writer before the writer does`() throws {
        let (connections, examinations) = (Counter(), Counter())
        let primary = try ScriptedPeer { client in
            try client.readStartup()
            guard connections.next() == 1 else {
                return try client.write(ServerMessage.error("FATAL", "53300", "sorry, too many clients already"))
            }
            try client.write(ServerMessage.welcome(with: [:]))
            try client.waitUntilGone()
        }
        let other = try Self.peer(greets: true, ["server_version": "15.7"])
        defer { other.stop() }
        let source = Self.source(try Self.address(primary, other))
        source.whenWriterMustBeExamined { _ = examinations.next() }
        let writer = try source.connection(for: .writer)
        source.confirm(writer)
        // One that is full is not examined.
        #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        #expect(examinations.next() == 1)
        primary.stop()
        #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        #expect(examinations.next() == 3)
        let second = try source.unobserved.connection(for: .writer)
        #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        source.confirm(second)
        #expect(try source.connection(for: .reader).serverVersion == 150_007)
        withExtendedLifetime(writer) { #expect(source.writers == 2) }
    }

    /// Peers with the versions 15.1 and so on. One that does not commit never answers a statement, like a former
    /// primary whose commits wait for its standby.
    private static func peers(committing: [Bool]) throws -> [ScriptedPeer] {
        try committing.enumerated().map { index, commits in
            try ScriptedPeer { client in
                try client.readStartup()
                try client.write(ServerMessage.welcome(with: ["server_version": "15.\(index + 1)"]))
                if commits { try client.answer(statements: .max) } else { try client.waitUntilGone() }
            }
        }
    }

    private static func source(_ peers: [ScriptedPeer], patience: Duration) throws -> ConnectionSource {
        var timeouts = PostgreSQLTimeouts.tests
        timeouts.patience = patience
        return ConnectionSource(address: try address(of: peers), timeouts: timeouts, noteRoundTrip: {})
    }

    @Test func `a writer whose server does not commit tries the next host`() async throws {
        try await onThread {
            let peers = try Self.peers(committing: [false, true, false])
            defer { for peer in peers { peer.stop() } }
            // Half of it is the time for an examination, which the second passes even on a busy machine.
            let source = try Self.source(peers, patience: .seconds(20))
            // The first is overdue. The answers of the second are not those of a COMMIT, so it is not accepted either,
            // but not passed over.
            #expect(throws: ServerFailure.self) { try source.writerConnection(until: nil) }
            #expect(source.writers == 0)
            let second = try source.connection(for: .writer)
            #expect(second.serverVersion == 150_002)
            #expect(throws: ServerFailure.self) { try source.writerConnection(until: nil) }
            #expect(try source.connection(for: .writer).serverVersion == 150_002)
            source.confirm(second)
            // From now on it is known, unless it is doubted.
            #expect(try source.writerConnection(until: nil).serverVersion == 150_002)
            #expect(source.writers == 2)
            #expect(try source.connection(for: .reader).serverVersion == 150_002)
            #expect(throws: ServerFailure.self) { try source.writerConnection(until: nil, isDoubted: true) }
        }
    }

    @Test func `readers stay while the writer leaves a server that does not commit`() async throws {
        try await onThread {
            let peers = try Self.peers(committing: [false, true])
            defer { for peer in peers { peer.stop() } }
            let source = try Self.source(peers, patience: .seconds(60))
            let writer = try source.connection(for: .writer)
            source.confirm(writer)
            #expect(throws: ServerFailure.self) { try source.examine(writer, until: .now + .milliseconds(50)) }
            #expect(source.hostOfReaders == 0)
            #expect(try source.connection(for: .reader).serverVersion == 150_001)
            let next = try source.connection(for: .writer)
            #expect(next.serverVersion == 150_002 && source.hostOfReaders == 0)
            source.confirm(next)
            #expect(try source.connection(for: .reader).serverVersion == 150_002)
        }
    }

    @Test func `a search that has failed is followed by one that begins with the next host`() throws {
        let silent = try Self.peer(greets: false)
        let good = try Self.peer(greets: true)
        defer {
            silent.stop()
            good.stop()
        }
        let source = Self.source(try Self.address(silent, good))
        #expect(throws: ServerFailure.self) { try source.connection(for: .writer, until: .now + .milliseconds(50)) }
        _ = try source.connection(for: .writer)
    }

    @Test func `connecting ends with the patience of the caller`() throws {
        let silent = try Self.peer(greets: false)
        defer { silent.stop() }
        let source = Self.source(try Self.address(silent, silent), connecting: .seconds(36_000))
        for role in [PostgreSQLConnection.Role.writer, .reader] {
            #expect(throws: ServerFailure.self) { try source.connection(for: role, until: .now + .milliseconds(50)) }
        }
        #expect(throws: ServerFailure.self) { try source.anyConnection(for: .reader, until: .now + .milliseconds(50)) }
    }

    @Test(arguments: ["in_hot_standby", "default_transaction_read_only"])
    func `a server that refuses writes is passed over for the primary`(setting: String) throws {
        let readOnly = try Self.peer(greets: true, [setting: "on", "server_version": "15.1"])
        let primary = try Self.peer(greets: true, ["server_version": "15.2"])
        defer {
            readOnly.stop()
            primary.stop()
        }
        let source = Self.source(try Self.address(readOnly, primary))
        #expect(try source.connection(for: .writer).serverVersion == 150_002)
        #expect(try source.connectionToExamine(for: .writer).serverVersion == 150_002)
        let alone = Self.source(try Self.address(readOnly, readOnly))
        let failure = #expect(throws: ServerFailure.self) { try alone.connection(for: .writer) }
        #expect(failure?.isPassing == true)
        #expect(try alone.connectionToExamine(for: .writer).serverVersion == 150_001)
    }

    /// As while its operator copies or moves it.
    @Test func `a primary that was set to refuse writes is read, and preferred to a standby`() throws {
        let standby = try Self.peer(greets: true, ["in_hot_standby": "on", "server_version": "15.1"])
        let primary = try Self.peer(greets: true, ["default_transaction_read_only": "on", "server_version": "15.2"])
        defer {
            standby.stop()
            primary.stop()
        }
        for hosts in [[primary], [standby, primary], [primary, standby]] {
            let address = try Self.address(of: hosts)
            #expect(try Self.source(address).connection(for: .reader).serverVersion == 150_002)
            #expect(try Self.source(address).connectionToExamine(for: .writer).serverVersion == 150_002)
            #expect(throws: ServerFailure.self) { try Self.source(address).connection(for: .writer) }
            let bound = Self.source(address)
            bound.confirm(try bound.connectionToExamine(for: .writer))
            #expect(try bound.connection(for: .reader).serverVersion == 150_002)
        }
    }

    /// One that was shut out by its operator, like a former primary.
    @Test func `a host that refuses connections does not hide the next, and says why if there is none`() throws {
        let refusing = try ScriptedPeer { client in
            try client.readStartup()
            try client.write(ServerMessage.error("FATAL", "28000", "pg_hba.conf rejects connection"))
        }
        let standby = try Self.peer(greets: true, ["in_hot_standby": "on"])
        let good = try Self.peer(greets: true, ["server_version": "15.2"])
        defer { for peer in [refusing, standby, good] { peer.stop() } }
        for role in [PostgreSQLConnection.Role.writer, .reader] {
            let source = Self.source(try Self.address(refusing, good))
            #expect(try source.connection(for: role).serverVersion == 150_002)
            // The standby may be about to become the primary.
            for (other, isPassing) in [(standby, true), (refusing, false)] {
                let source = Self.source(try Self.address(refusing, other))
                let failure = #expect(throws: ServerFailure.self) { try source.connection(for: role) }
                #expect(failure?.isPassing == isPassing)
                #expect(failure?.description.contains("pg_hba.conf rejects connection") == true)
            }
        }
    }
}
