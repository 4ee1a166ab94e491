import Foundation
import Glibc
import TestSupport
import Testing

/// Passwords and TLS between graphd and its PostgreSQL server.
@Suite(.timeLimit(.process))
struct ServerAuthenticationTests {
    private static let secret = "open-sesame"

    /// Starts a server until it listens. Returns nil, or the reason why it does not.
    private static func refusal(of database: String, environment: [String: String] = [:]) async throws -> String? {
        let path = temporaryPath("authenticated")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = try GraphdProcess(
            ["serve", "--port", "0", "--data-dir", path], executable: nil,
            .init(environment: environment.merging(["GRAPHD_DATABASE": database]) { $1 }))
        let line = try? await process.line { $0.contains("\"message\":\"listening\"") }
        process.signal(line == nil ? SIGKILL : SIGTERM)
        _ = await process.wait()
        #expect(!process.lines.joined().contains(secret), "\(process.lines)")
        return line == nil ? process.lines.last ?? "" : nil
    }

    private static func passwordFile(_ line: String, _ body: (String) async throws -> Void) async throws {
        let path = temporaryPath("pgpass")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("\(line)\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        try await body(path)
    }

    @Test func `a password comes from the address, a passfile or PGPASSFILE`() async throws {
        var setup = PostgreSQLServer.Setup()
        setup.authentication = ["local all owner scram-sha-256"]
        try await PostgreSQLServer.running(setup) { server in
            let database = try await server.newDatabase()
            try await server.execute(
                "CREATE ROLE owner LOGIN SUPERUSER PASSWORD '\(Self.secret)'")
            let url = server.url(of: database, user: "owner")
            #expect(try await Self.refusal(of: server.url(of: database, user: "owner:\(Self.secret)")) == nil)
            try await Self.passwordFile("*:*:*:owner:\(Self.secret)") { file in
                let named = try await Self.refusal(of: url + "&passfile=\(file)")
                let inherited = try await Self.refusal(of: url, environment: ["PGPASSFILE": file])
                #expect(named == nil && inherited == nil, "\(named ?? "") \(inherited ?? "")")
            }
            try await Self.passwordFile("*:*:*:owner:wrong") { file in
                let refusal = try await Self.refusal(of: url + "&passfile=\(file)")
                #expect(refusal?.contains("correct the user or the password") == true, "\(refusal ?? "")")
            }
            let none = try await Self.refusal(of: url, environment: ["PGPASSFILE": "/dev/null"])
            #expect(none?.contains("the server asks for a password; give it in") == true, "\(none ?? "")")
            let unknown = try await Self.refusal(of: server.url(of: database, user: "nobody:\(Self.secret)"))
            #expect(unknown?.contains("create the user, or let it connect in pg_hba.conf") == true, "\(unknown ?? "")")
        }
    }

    /// Runs `body` with a server that accepts only TLS on a TCP port, and with its certificate and another one.
    private static func withTLS(
        _ body: (_ server: PostgreSQLServer, _ own: TestCertificate, _ other: TestCertificate) async throws -> Void
    ) async throws {
        let directory = try PostgreSQLServer.makeDirectory("tls")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (own, other) = try await (TestCertificate("own", in: directory), TestCertificate("other", in: directory))
        chmod(own.key, 0o600)
        for file in [own.key, own.chain] { try PostgreSQLServer.give(file) }
        var setup = PostgreSQLServer.Setup()
        setup.authentication = ["hostssl all all 127.0.0.1/32 trust", "hostnossl all all 127.0.0.1/32 reject"]
        for attempt in 1... {
            let port = try LocalSocket.freePort()
            setup.port = port
            setup.settings = [
                "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=\(own.chain)",
                "ssl_key_file=\(own.key)",
            ]
            do {
                return try await PostgreSQLServer.running(setup) { try await body($0, own, other) }
            } catch let failure as PostgreSQLServer.Failure {
                // Another program may have taken the port meanwhile.
                if attempt == 5 { throw failure }
            }
        }
    }

    @Test func `TLS is as strict as sslmode says`() async throws {
        try await Self.withTLS { server, own, other in
            let (port, database) = (server.setup.port ?? 0, try await server.newDatabase())
            func url(_ options: String, host: String = "127.0.0.1") -> String {
                "postgres://graphd@\(host):\(port)/\(database)?\(options)"
            }
            #expect(try await Self.refusal(of: url("sslmode=require")) == nil)
            #expect(try await Self.refusal(of: url("sslmode=verify-full&sslrootcert=\(own.chain)")) == nil)
            let plain = try await Self.refusal(of: url("sslmode=disable"))
            #expect(plain?.contains("let it connect in pg_hba.conf") == true, "\(plain ?? "")")
            let stranger = try await Self.refusal(of: url("sslmode=verify-full&sslrootcert=\(other.chain)"))
            #expect(stranger?.contains("certificate verify failed") == true, "\(stranger ?? "")")
            let misnamed = try await Self.refusal(
                of: url("sslmode=verify-full&sslrootcert=\(own.chain)", host: "localhost"))
            #expect(misnamed?.contains("does not match host name") == true, "\(misnamed ?? "")")
        }
    }
}
