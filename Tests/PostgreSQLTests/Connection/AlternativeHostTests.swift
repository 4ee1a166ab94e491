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

    private static func address(_ peers: ScriptedPeer...) throws -> PostgreSQLAddress {
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

    @Test func `a silent host does not keep the next from being tried, and is tried last afterwards`() throws {
        let connections = Counter()
        let silent = try Self.peer(greets: false, counting: connections)
        let good = try Self.peer(greets: true)
        defer {
            silent.stop()
            good.stop()
        }
        // The silent host is given up after this time, within which the other greets even on a busy machine.
        let source = Self.source(try Self.address(silent, good), connecting: .seconds(10))
        for _ in 0..<3 { _ = try source.connection(for: .reader) }
        // The next number; the silent host was asked by the first attempt only.
        #expect(connections.next() == 2)
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

    /// A server that never answers a statement, like a former primary whose commits wait for its standby.
    @Test func `a writer whose server does not commit tries the next host, and its readers stay meanwhile`() throws {
        let committing = [("15.1", false), ("15.2", true), ("15.3", false)]
        let peers = try committing.map { version, commits in
            try ScriptedPeer { client in
                try client.readStartup()
                try client.write(ServerMessage.welcome(with: ["server_version": version]))
                if commits { try client.answer(statements: .max) } else { try client.waitUntilGone() }
            }
        }
        defer { for peer in peers { peer.stop() } }
        var timeouts = PostgreSQLTimeouts.tests
        // Half of it is the time for an examination.
        timeouts.patience = .seconds(4)
        let hosts = peers.map(\.directory).joined(separator: ",")
        let source = ConnectionSource(
            address: try PostgreSQLAddress(parsing: "postgres://graphd@/graph?host=\(hosts)"), timeouts: timeouts,
            noteRoundTrip: {})
        // The first is overdue. The answers of the second are not those of a COMMIT, so it is not accepted either, but
        // not passed over.
        #expect(throws: ServerFailure.self) { try source.writerConnection(until: nil) }
        #expect(source.writers == 0)
        let second = try source.connection(for: .writer)
        #expect(second.serverVersion == 150_002)
        #expect(throws: ServerFailure.self) { try source.writerConnection(until: nil) }
        #expect(try source.connection(for: .writer).serverVersion == 150_002)
        source.confirm(second)
        // From now on it is known.
        #expect(try source.writerConnection(until: nil).serverVersion == 150_002)
        #expect(source.writers == 2)
        #expect(try source.connection(for: .reader).serverVersion == 150_002)
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

    @Test func `a standby is passed over for the primary`() throws {
        let standby = try Self.peer(greets: true, ["in_hot_standby": "on", "server_version": "15.1"])
        let primary = try Self.peer(greets: true, ["server_version": "15.2"])
        defer {
            standby.stop()
            primary.stop()
        }
        let connection = try Self.source(try Self.address(standby, primary)).connection(for: .writer)
        #expect(connection.serverVersion == 150_002)
    }

    @Test func `a refusal that another host would repeat ends the search`() throws {
        let connections = Counter()
        let second = try Self.peer(greets: true, counting: connections)
        let first = try ScriptedPeer { client in
            try client.readStartup()
            try client.write(ServerMessage.error("FATAL", "28P01", "password authentication failed"))
        }
        defer {
            first.stop()
            second.stop()
        }
        let source = Self.source(try Self.address(first, second))
        let failure = #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        #expect(failure?.isPassing == false)
        #expect(connections.next() == 1)
    }
}
