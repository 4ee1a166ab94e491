import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Servers and databases that are refused at opening.
@Suite(.timeLimit(.process))
struct ServerRequirementsTests {
    private static func refusal(
        of address: PostgreSQLAddress, schema: DatabaseSchema = .sample, requiresStandby: Bool = false
    ) -> String {
        var options = PostgreSQLOptions.tests
        options.requiresStandby = requiresStandby
        let error = #expect(throws: DatabaseError.self) {
            try PostgreSQLDatabase(address: address, options: options, schema: schema)
        }
        guard case .storage(let detail) = error else { return "" }
        return detail
    }

    /// An address that differs in one parameter.
    private static func address(_ other: PostgreSQLAddress, user: String? = nil, database: String? = nil) throws
        -> PostgreSQLAddress
    {
        let host = other["host"] ?? ""
        return try PostgreSQLAddress(
            parsing: "postgres://\(user ?? "graphd")@/\(database ?? other["dbname"] ?? "")?host=\(host)")
    }

    private static func administer(_ address: PostgreSQLAddress, _ sql: String) throws {
        let source = ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {})
        _ = try source.connection(for: .reader).exchange([ServerCommand(sql)])
    }

    @Test(arguments: [
        ("synchronous_commit", "off", "synchronous_commit is \"off\""),
        ("synchronous_commit", "local", "synchronous_commit is \"local\""),
        ("default_transaction_read_only", "on", "default_transaction_read_only is on"),
    ])
    func `an unsafe setting is named, with what would be right`(
        name: String, value: String, reason: String
    ) async throws {
        let address = try await PostgreSQLServer.shared().createDatabase()
        try Self.administer(address, "ALTER DATABASE \(address["dbname"] ?? "") SET \(name) = '\(value)'")
        let refusal = Self.refusal(of: address)
        #expect(refusal.contains(reason) && refusal.contains("set it to"), "\(refusal)")
    }

    @Test
    func `a missing standby is refused if one is required`() async throws {
        let refusal = Self.refusal(
            of: try await PostgreSQLServer.shared().createDatabase(), requiresStandby: true)
        #expect(refusal.contains("synchronous_standby_names is empty"), "\(refusal)")
    }

    @Test
    func `another encoding is refused`() async throws {
        let address = try await PostgreSQLServer.shared().createDatabase("ENCODING 'SQL_ASCII' TEMPLATE template0")
        let refusal = Self.refusal(of: address)
        #expect(refusal.contains("SQL_ASCII") && refusal.contains("ENCODING 'UTF8'"), "\(refusal)")
    }

    @Test
    func `missing rights are named`() async throws {
        let address = try await PostgreSQLServer.shared().createDatabase()
        try Self.administer(address, "CREATE ROLE visitor_\(address["dbname"] ?? "") LOGIN")
        let refusal = Self.refusal(of: try Self.address(address, user: "visitor_\(address["dbname"] ?? "")"))
        #expect(refusal.contains("lacks a right") && refusal.contains("owner"), "\(refusal)")
    }

    @Test
    func `a database that does not exist is refused at once`() async throws {
        let address = try await PostgreSQLServer.shared().createDatabase()
        let refusal = Self.refusal(of: try Self.address(address, database: "nowhere"))
        #expect(refusal.contains("3D000") && refusal.contains("nowhere"), "\(refusal)")
    }

    @Test(arguments: [
        ("server_version", "14.9", "PostgreSQL 14; graphd needs 15"), ("in_hot_standby", "on", "read-only standby"),
    ])
    func `an old server and a standby are refused`(name: String, value: String, reason: String) throws {
        let peer = try ScriptedPeer { client in
            try client.readStartup()
            try client.write(ServerMessage.welcome(with: [name: value]))
            try client.waitUntilGone()
        }
        defer { peer.stop() }
        let refusal = Self.refusal(of: peer.address)
        #expect(refusal.contains(reason), "\(refusal)")
    }

    @Test
    func `tables of others, and of newer versions, are refused`() async throws {
        let foreign = try await PostgreSQLServer.shared().createDatabase()
        try Self.administer(foreign, "CREATE TABLE other (id int)")
        #expect(Self.refusal(of: foreign).contains("graphd has not made them (\"other\")"))

        let address = try await PostgreSQLServer.shared().createDatabase()
        let newer = DatabaseSchema.laterSample()
        try PostgreSQLDatabase(address: address, options: .tests, schema: .sample).close()
        try PostgreSQLDatabase(address: address, options: .tests, schema: newer).close()
        try PostgreSQLDatabase(address: address, options: .tests, schema: newer).close()
        let refusal = Self.refusal(of: address)
        #expect(refusal.contains("newer or unknown graphd (\"9.0.0-later\")"), "\(refusal)")
    }

    @Test
    func `nodes that start at the same time make the tables once`() async throws {
        let address = try await PostgreSQLServer.shared().createDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { try PostgreSQLDatabase(address: address, options: .tests, schema: .sample).close() }
            }
            try await group.waitForAll()
        }
    }
}
