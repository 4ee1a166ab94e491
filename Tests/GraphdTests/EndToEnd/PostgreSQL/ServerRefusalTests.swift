import Database
import Foundation
import GraphAssembly
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import CommandSupport

/// Servers, databases and addresses that the real program refuses: one sentence on standard error that says what would
/// be right, exit status 1, and no password.
@Suite(.timeLimit(.process))
struct ServerRefusalTests {
    private static let secret = "open-sesame"

    /// Runs a command in a data directory that it is to leave without a graph.
    private static func run(
        _ words: [String], database: String?, environment: [String: String] = [:]
    ) async throws -> CommandRun {
        let path = temporaryPath("refused")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let arguments = words + ["--data-dir", path] + (database.map { ["--database", $0] } ?? [])
        return try await CommandRun.of(arguments, environment: environment)
    }

    private static func expectRefusal(
        _ run: CommandRun, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.end == .exited(1), "\(run)", sourceLocation: sourceLocation)
        let errors = run.errors.filter { $0.hasPrefix("Error: ") }
        #expect(errors.count == 1 && run.errors.last == errors.first, "\(run)", sourceLocation: sourceLocation)
        for part in parts {
            #expect(errors.first?.contains(part) == true, "\(part): \(run)", sourceLocation: sourceLocation)
        }
        #expect(!run.description.contains(secret), "\(run)", sourceLocation: sourceLocation)
    }

    private static func serve(_ database: String) async throws -> CommandRun {
        try await run(["serve", "--port", "0"], database: database)
    }

    @Test(arguments: [
        (["server_version": "14.9"], "PostgreSQL 14; graphd needs 15 or later"),
        (["in_hot_standby": "on"], "read-only standby; give the address of the primary"),
        (["server_encoding": "LATIN1"], "encoding LATIN1; create one with CREATE DATABASE … ENCODING 'UTF8'"),
        (["default_transaction_read_only": "on"], "default_transaction_read_only is on; set it to \"off\""),
    ])
    func `a server without what graphd needs is refused`(settings: [String: String], reason: String) async throws {
        let peer = try ScriptedPeer { client in
            try client.readStartup()
            try client.write(ServerMessage.welcome(with: settings))
            try client.waitUntilGone()
        }
        defer { peer.stop() }
        Self.expectRefusal(try await Self.serve("postgres://graphd@/graph?host=\(peer.directory)"), reason)
    }

    @Test func `missing rights and unsafe settings are refused`() async throws {
        let server = try await PostgreSQLServer.shared()
        let database = try await server.newDatabase()
        try await server.execute(
            "CREATE ROLE guest_of_\(database) LOGIN",
            "CREATE ROLE hasty_\(database) LOGIN SUPERUSER",
            "ALTER ROLE hasty_\(database) SET synchronous_commit = 'off'")
        Self.expectRefusal(
            try await Self.serve(server.url(of: database, user: "guest_of_\(database)")),
            "the user lacks a right", "make the user the owner of the database")
        Self.expectRefusal(
            try await Self.serve(server.url(of: database, user: "hasty_\(database)")),
            "synchronous_commit is \"off\"", "set it to \"on\"")
        let guarded = ["serve", "--port", "0", "--require-standby", "on"]
        Self.expectRefusal(
            try await Self.run(guarded, database: server.url(of: database)),
            "synchronous_standby_names is empty", "name the standbys")
        Self.expectRefusal(
            try await Self.run(guarded, database: nil), "concerns a PostgreSQL server: give --database")
    }

    @Test func `tables of others and of another version are refused and stay`() async throws {
        let server = try await PostgreSQLServer.shared()
        let foreign = try await server.newDatabase()
        try await server.execute("CREATE TABLE other (id int)", in: foreign)
        Self.expectRefusal(
            try await Self.serve(server.url(of: foreign)), "(\"other\")", "create an empty database")
        #expect(try await server.execute("SELECT relname::text FROM pg_stat_user_tables", in: foreign) == ["other"])

        let database = try await server.newDatabase()
        try await GraphdServer.prepared(in: .process, on: .init(database: server.url(of: database))) { _ in }
        try await server.execute("INSERT INTO schema_change (ordinal, name) VALUES (999, '9.9.9-later')", in: database)
        Self.expectRefusal(
            try await Self.serve(server.url(of: database)), "newer or unknown graphd (\"9.9.9-later\")",
            "use that version")
    }

    @Test func `a database that another directory serves is refused and one's own lease is taken at once`() async throws
    {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        try await GraphdServer.running(in: .process, on: .init(database: url)) { serving in
            Self.expectRefusal(
                try await Self.serve(url), "Another graphd, with another data directory, serves the database",
                "Stop it first")
            // A start after a shutdown, which has given the lease up, waits for nothing.
            await serving.stop()
            let usual = try await serving.timedStart()
            let id = try await serving.client(try await serving.person()).publish()
            await serving.kill()
            let time = try await serving.timedStart()
            // Not a limit of speed: a lease that is not the own one is waited for during all of its 30 s.
            #expect(time - usual < .seconds(25))
            #expect(try await serving.client(try await serving.person()).get("/v1/posts/\(id)").status == 200)
        }
    }

    @Test func `older tables that another directory serves are refused and stay`() async throws {
        let server = try await PostgreSQLServer.shared()
        let database = try await server.newDatabase()
        let url = server.url(of: database)
        try await GraphdServer.running(in: .process, on: .init(database: url)) { serving in
            // As if the serving program were older by a change that needs it stopped.
            let change = try #require(DatabaseSchema.graph.changes.last { !$0.isAdditive }?.name)
            try await server.execute(
                """
                DELETE FROM schema_change
                WHERE ordinal >= (SELECT ordinal FROM schema_change WHERE name = '\(change)')
                """, in: database)
            let count = "SELECT COUNT(*)::text FROM schema_change"
            let before = try await server.execute(count, in: database)
            Self.expectRefusal(
                try await Self.serve(url), "a graphd serves the database with them", "stop it first")
            #expect(try await server.execute(count, in: database) == before)
            _ = try await serving.client(try await serving.person()).publish()
        }
    }

    @Test(arguments: [
        ("mysql://graphd@host/graph", "postgres://"), ("postgres://graphd@host", "name of the database is missing"),
        ("postgres://graphd@host:port/graph", "not a number from 1 to 65535"),
        ("postgres://graphd@host/graph?sslmode=maybe", "not one of disable"),
        ("postgres://graphd@host/graph?colour=red", "\"colour\" is none of the options"),
        ("postgres://graphd@host/gr%zzaph", "two hexadecimal digits"),
    ])
    func `a malformed address is refused by every command`(address: String, reason: String) async throws {
        let secret = address.replacing("graphd@", with: "graphd:\(Self.secret)@")
        for words in [["serve", "--port", "0"], ["config", "check"], ["user", "role", "ann", "admin"]] {
            let run = try await Self.run(words, database: nil, environment: ["GRAPHD_DATABASE": secret])
            Self.expectRefusal(run, reason)
        }
    }

    @Test func `a password on the command line is refused and one in the environment is hidden`() async throws {
        let url = "postgres://graphd:\(Self.secret)@/graph?host=/nowhere"
        let run = try await Self.serve(url)
        Self.expectRefusal(run, "A password on the command line shows in the list of processes", "passfile=")
        let check = try await Self.run(["config", "check"], database: nil, environment: ["GRAPHD_DATABASE": url])
        check.expect(0)
        #expect(check.output.contains("database") && !check.description.contains(Self.secret), "\(check)")
    }

    @Test func `a server that is not there is waited for and named`() async throws {
        async let unknown = Self.serve("postgres://graphd@no-such-host.invalid/graph")
        async let silent = Self.serve("postgres://graphd@/graph?host=/nowhere")
        Self.expectRefusal(try await unknown, "no connection to the database \"graph\" at no-such-host.invalid")
        Self.expectRefusal(try await silent, "no connection to the database \"graph\" at /nowhere")
    }

    @Test func `a directory whose database was on a server does not go on without it`() async throws {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        try await GraphdServer.prepared(in: .process, on: .init(database: url)) { prepared in
            let run = try await CommandRun.of(["serve", "--port", "0", "--data-dir", prepared.directory.path])
            Self.expectRefusal(run, "is on a PostgreSQL server", "Name it with --database or GRAPHD_DATABASE")
            #expect(!FileManager.default.fileExists(atPath: prepared.directory.database))
        }
    }

    @Test func `the doctor tells a good server from bad ones`() async throws {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        try await GraphdServer.running(in: .process, on: .init(database: url)) { serving in
            let port = ["--port", "\(serving.port)"]
            let good = try await CommandRun.of(["doctor"] + serving.storageArguments + port)
            #expect(good.output.contains("on PostgreSQL 15"), "\(good)")
            #expect(good.output.contains("No synchronous standby is connected"), "\(good)")
            let bad = try await CommandRun.of(
                ["doctor", "--data-dir", serving.directory.path, "--database", server.url(of: "nowhere")] + port)
            bad.expect(1)
            #expect(bad.output.contains("The database cannot be used"), "\(bad)")
            #expect(bad.output.contains("\"nowhere\" does not exist"), "\(bad)")
            let empty = try await CommandRun.of(
                ["doctor", "--data-dir", serving.directory.path, "--database", server.url(of: "postgres")] + port)
            empty.expect(1)
            #expect(empty.output.contains("holds no graph"), "\(empty)")
        }
    }
}
