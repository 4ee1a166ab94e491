import Foundation
import Glibc
import ServiceTestSupport
import StrictJSON
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import graphd

/// TLS and HTTP/2, by curl and openssl: programs that share no code with the server.
@Suite(.timeLimit(.process))
struct EncryptionTests {
    private static func withServer(
        _ arguments: [String] = [], _ body: (GraphdServer, TestCertificate) async throws -> Void
    ) async throws {
        let directory = temporaryPath("certificates")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let certificate = try await TestCertificate("first", in: directory)
        try await GraphdServer.running(
            ["--tls-certificate", certificate.chain, "--tls-key", certificate.key] + arguments, in: .process
        ) { try await body($0, certificate) }
    }

    /// Runs curl for a path of the server. The last line of its output is the version of HTTP and the status.
    private static func curl(
        _ server: GraphdServer, _ path: String, trusting chain: String, _ arguments: [String] = []
    ) async throws -> ProgramRun {
        try await ProgramRun(
            "/usr/bin/curl",
            [
                "-sS", "--cacert", chain, "-w", "\n%{http_version} %{http_code}",
                "https://127.0.0.1:\(server.port)\(path)",
            ]
                + arguments)
    }

    @Test(arguments: [("--http2", "2"), ("--http1.1", "1.1"), ("--no-alpn", "1.1"), ("--tlsv1.3", "2")])
    func `clients choose the protocol`(flag: String, version: String) async throws {
        try await Self.withServer { server, certificate in
            let health = try await Self.curl(server, "/healthz", trusting: certificate.chain, [flag])
            #expect(health.output.hasSuffix("\n\(version) 200"), "\(health)")
            let problem = try await Self.curl(server, "/v1/me", trusting: certificate.chain, [flag])
            #expect(problem.output.contains(#""code":"token_missing""#), "\(problem)")
            #expect(problem.output.hasSuffix("\n\(version) 401"), "\(problem)")
        }
    }

    @Test func `TLS before 1.2 and plain HTTP are refused`() async throws {
        try await Self.withServer { server, certificate in
            let old = try await Self.curl(
                server, "/healthz", trusting: certificate.chain,
                ["--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"])
            #expect(old.status != 0 && old.output.hasSuffix(" 000"), "\(old)")
            let plain = try RawConnection(port: server.port)
            try await plain.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await !plain.receive().contains("HTTP/"))
        }
    }

    @Test func `a silent handshake ends in time`() async throws {
        // Time enough for an honest handshake on a busy machine.
        try await Self.withServer(["--header-timeout", "10s"]) { server, certificate in
            // Nothing, and the first bytes of a record of the handshake.
            let starts: [[UInt8]] = [[], [0x16, 3, 1, 2, 0, 1]]
            let silent = try starts.map { _ in try RawConnection(port: server.port) }
            for (connection, bytes) in zip(silent, starts) { try await connection.send(bytes) }
            for connection in silent { #expect(try await connection.receive() == "") }
            let health = try await Self.curl(server, "/healthz", trusting: certificate.chain)
            #expect(health.output.hasSuffix(" 200"))
        }
    }

    @Test func `connections over the cap are closed, and streams of one are not counted`() async throws {
        try await Self.withServer(["--max-connections-per-address", "2"]) { server, certificate in
            var held: [FrameClient] = []
            for _ in 0..<2 {
                let client = try await FrameClient(port: server.port)
                client.request("GET", "/healthz", stream: 1, isWhole: true)
                client.flush()
                // A connection counts once it is admitted, and it is admitted if it is answered.
                #expect(await client.frame(.head, stream: 1))
                held.append(client)
            }
            let refused = try await Self.curl(server, "/healthz", trusting: certificate.chain)
            #expect(refused.status != 0, "\(refused)")
            for client in held { try await client.close() }
        }
        try await Self.withServer(["--max-connections-per-address", "2"]) { server, certificate in
            let urls = Array(repeating: "https://127.0.0.1:\(server.port)/healthz", count: 40)
            let many = try await Self.curl(
                server, "/healthz", trusting: certificate.chain,
                ["--parallel", "--parallel-max", "40", "--http2"] + urls)
            #expect(many.output.components(separatedBy: "alive").count == 42, "\(many)")
        }
    }

    @Test func `a client that abandons requests in a hurry is disconnected`() async throws {
        try await Self.withServer { server, certificate in
            let client = try await FrameClient(port: server.port)
            for number in 0..<2 * RequestLimits.abandonedRequests {
                client.request("GET", "/healthz", stream: 2 * number + 1, isWhole: true)
                client.abandon(stream: 2 * number + 1)
            }
            client.flush()
            await client.closed()
            let health = try await Self.curl(server, "/healthz", trusting: certificate.chain)
            #expect(health.output.hasSuffix("2 200"), "\(health)")
        }
    }

    @Test func `a stream whose body does not come ends, and its connection goes on`() async throws {
        try await Self.withServer(["--body-timeout", "1s"]) { server, _ in
            let client = try await FrameClient(port: server.port)
            client.request("POST", "/v1/auth/login", stream: 1, isWhole: false)
            client.flush()
            let end = await client.frame(.reset, stream: 1)
            #expect(end)
            client.request("GET", "/healthz", stream: 3, isWhole: true)
            client.flush()
            let answer = await client.frame(.head, stream: 3)
            #expect(answer)
            try await client.close()
        }
    }

    @Test func `a connection without requests ends after the idle time`() async throws {
        try await Self.withServer(["--idle-timeout", "1s"]) { server, _ in
            let client = try await FrameClient(port: server.port)
            client.request("GET", "/healthz", stream: 1, isWhole: true)
            client.flush()
            #expect(await client.frame(.goAway, stream: 0))
            await client.closed()
        }
    }

    @Test func `large bodies pass in both directions`() async throws {
        try await Self.withServer { server, certificate in
            let person = try await server.person()
            let bytes = SampleFile.mp4(bytes: 3_000_001)
            let file = certificate.key + ".mp4"
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            for version in ["--http2", "--http1.1"] {
                let token = ["-H", "Authorization: Bearer \(person.token)", version]
                let stored = try await Self.curl(
                    server, "/v1/media", trusting: certificate.chain, token + ["-F", "file=@\(file)"])
                #expect(stored.output.hasSuffix(" 201"), "\(stored)")
                let body = stored.output.split(separator: "\n").first.map(String.init) ?? ""
                let url = try #require(try JSONReader.read(Array(body.utf8))["url"]?.text)
                #expect(url.hasPrefix("https://127.0.0.1:\(server.port)/media/"))
                let loaded = try await ProgramRun(
                    "/usr/bin/curl", ["-sS", "--cacert", certificate.chain, url, "-o", file + ".back"] + token)
                #expect(loaded.status == 0, "\(loaded)")
                #expect(FileManager.default.contentsEqual(atPath: file, andPath: file + ".back"))
            }
            // Refused before it has arrived: the rest of the body does not keep the stream.
            let refused = try await Self.curl(
                server, "/v1/posts", trusting: certificate.chain,
                ["--http2", "--data-binary", "@\(file)", "-H", "Authorization: Bearer \(person.token)"])
            #expect(refused.output.hasSuffix(" 413"), "\(refused)")
        }
    }

    @Test func `a new certificate serves new connections, and streams go on`() async throws {
        try await Self.withServer { server, certificate in
            let reader = try await server.person()
            let token = "Authorization: Bearer \(reader.token)"
            let second = try await TestCertificate(
                "second", in: (certificate.chain as NSString).deletingLastPathComponent)
            let former = certificate.chain + ".former"
            try FileManager.default.copyItem(atPath: certificate.chain, toPath: former)
            let events = former + ".events"
            let stream = try GraphdProcess(
                [
                    "-sSN", "--http2", "--cacert", former, "-H", token,
                    "https://127.0.0.1:\(server.port)/v1/stream",
                ], executable: "/usr/bin/curl", .init(output: events))
            defer { stream.signal(SIGKILL) }
            func streamHas(_ words: String) async throws {
                while !(try String(contentsOfFile: events, encoding: .utf8)).contains(words) {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try await streamHas("retry:")

            // A broken file changes nothing.
            try Data("x".utf8).write(to: URL(fileURLWithPath: certificate.key))
            server.signal(SIGHUP)
            _ = try await server.line { $0.contains("the former content stays in use") }
            #expect(try await Self.curl(server, "/healthz", trusting: former).status == 0)

            try certificate.become(second)
            server.signal(SIGHUP)
            _ = try await server.line { $0.contains("\"message\":\"reloaded\"") && $0.contains("first.crt") }
            #expect(try await Self.curl(server, "/healthz", trusting: second.chain).status == 0)
            #expect(try await Self.curl(server, "/healthz", trusting: former).status != 0)
            let expiry = try await Self.curl(server, "/metrics", trusting: second.chain)
            #expect(expiry.output.contains("\ngraphd_tls_certificate_expiry_seconds "))

            let posted = try await Self.curl(
                server, "/v1/posts", trusting: second.chain,
                ["-H", token, "-d", #"{"caption":"after the renewal","mediaUrl":"https://example.org/v.mp4"}"#])
            #expect(posted.output.hasSuffix(" 201"), "\(posted)")
            try await streamHas("after the renewal")
        }
    }

    @Test func `a stop ends idle connections and streams`() async throws {
        try await Self.withServer { server, certificate in
            let reader = try await server.person()
            let events = certificate.key + ".events"
            let stream = try GraphdProcess(
                [
                    "-sSN", "--http2", "--cacert", certificate.chain, "-H", "Authorization: Bearer \(reader.token)",
                    "https://127.0.0.1:\(server.port)/v1/stream",
                ], executable: "/usr/bin/curl", .init(output: events))
            while !(try String(contentsOfFile: events, encoding: .utf8)).contains("retry:") {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await server.stop() == .exited(0))
            #expect(await stream.wait() == .exited(0))
            #expect(try String(contentsOfFile: events, encoding: .utf8).contains("server_stopping"))
        }
    }

    @Test func `commands trust the certificates of GRAPHD_CA`() async throws {
        try await Self.withServer { server, certificate in
            let admin = try await server.admin()
            var environment = [
                "GRAPHD_SERVER": "https://127.0.0.1:\(server.port)", "GRAPHD_TOKEN": admin.token,
                "XDG_CONFIG_HOME": server.directory.path + "/none",
            ]
            try await server.command(["modlog", "list", "--json"], environment: environment).expect(69)
            environment["GRAPHD_CA"] = certificate.chain
            try await server.command(["modlog", "list", "--json"], environment: environment).expect(0)
            environment["GRAPHD_CA"] = certificate.key
            try await server.command(["modlog", "list", "--json"], environment: environment).expect(65)
        }
    }
}
