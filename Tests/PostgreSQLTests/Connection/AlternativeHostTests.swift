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
        // One that is full is not examined.
        #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        #expect(examinations.next() == 1)
        primary.stop()
        #expect(throws: ServerFailure.self) { try source.connection(for: .reader) }
        #expect(examinations.next() == 3)
        _ = try source.unobserved.connection(for: .writer)
        #expect(try source.connection(for: .reader).serverVersion == 150_007)
        withExtendedLifetime(writer) { #expect(source.writers == 2) }
    }

    /// Its commits may wait for a standby that is the primary now.
    @Test func `a writer whose answer is overdue tries the next host, and its readers follow it only then`() throws {
        let former = try Self.peer(greets: true, ["server_version": "15.1"])
        let next = try Self.peer(greets: true, ["server_version": "15.2"])
        defer {
            former.stop()
            next.stop()
        }
        let source = Self.source(try Self.address(former, next))
        func version(_ role: PostgreSQLConnection.Role) throws -> Int {
            try source.connection(for: role).serverVersion
        }
        #expect(try version(.writer) == 150_001)
        source.passOverServerOfWriter()
        #expect(try version(.reader) == 150_001)
        #expect(try version(.writer) == 150_002)
        #expect(try version(.reader) == 150_002)
        #expect(try version(.writer) == 150_002)
        // After the last host comes the first.
        source.passOverServerOfWriter()
        #expect(try version(.writer) == 150_001)
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
