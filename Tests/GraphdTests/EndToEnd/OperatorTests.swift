import Foundation
import Glibc
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Metrics and logs for operators only, and operators' signals to the process.
@Suite(.timeLimit(.process))
struct OperatorTests {
    @Test(arguments: [[], [("Forwarded", "for=192.0.2.1")], [("X-Forwarded-For", "127.0.0.1")]])
    func `metrics and details are for callers on this machine`(_ headers: [(String, String)]) async throws {
        try await GraphdServer.running(in: .process) { server in
            let client = server.client()
            let isTold = headers.isEmpty
            let ready = try await client.send("GET", "/readyz", headers: headers)
            #expect(ready.status == 200)
            let details = ["database", "ffmpeg", "outbox", "redis", "status"]
            #expect(try ready.json.names.sorted() == (isTold ? details : ["status"]))
            let metrics = try await client.send("GET", "/metrics", headers: headers)
            if isTold { #expect(metrics.status == 200) } else { try metrics.expectProblem(404, "not_found") }
            #expect(try await client.send("GET", "/healthz", headers: headers).status == 200)
        }
    }

    @Test func `an admin address serves them instead and nothing else`() async throws {
        try await GraphdServer.running(["--admin-address", "127.0.0.1:0"], in: .process) { server in
            try await server.client().get("/metrics").expectProblem(404, "not_found")
            #expect(try await server.client().get("/readyz").json.names == ["status"])
            let line = try await server.line { $0.contains("\"message\":\"listening for operators\"") }
            let port = try #require(try JSONReader.read(Array(line.utf8))["port"]?.text.flatMap { Int($0) })
            let admin = server.client(port: port)
            #expect(try await admin.get("/metrics").text.contains("graphd_connections_open"))
            #expect(try await admin.get("/readyz").json["database"] == .string("up"))
            #expect(try await admin.get("/healthz").status == 200)
            for path in ["/v1/me", "/console", "/", "/media/x"] {
                try await admin.get(path).expectProblem(404, "not_found")
            }
        }
    }

    @Test func `a port in use ends the start before anything else is started`() async throws {
        let (descriptor, port) = try LocalSocket.listenTCP()
        defer { close(descriptor) }
        let path = temporaryPath("taken")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let refused = try GraphdProcess(["serve", "--data-dir", path, "--port", "\(port)"])
        #expect(await refused.wait() == .exited(1))
        #expect(refused.lines.contains { $0.contains("is in use by process \(getpid()) (") }, "\(refused.lines)")
        #expect(!FileManager.default.fileExists(atPath: path + "/graph.db"))
    }

    @Test func `SIGHUP reloads keys and ends nothing`() async throws {
        let path = temporaryPath("jwks") + ".json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (old, new) = (try OIDCKey(.es256, "old"), try OIDCKey(.es256, "new"))
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        try write(OIDCKey.set([old]))
        let now = Int64(Date().timeIntervalSince1970)
        func claims(_ user: String) -> String {
            #"{"iss":"i","aud":"a","sub":"\#(user)","iat":\#(now),"exp":\#(now + 3_600)}"#
        }
        try await GraphdServer.running(
            ["--oidc-issuer", "i", "--oidc-audience", "a", "--oidc-jwks", path], in: .process
        ) { server in
            func status(_ key: OIDCKey) async throws -> Int {
                try await server.client(token: key.token(claims("u"))).get("/v1/me").status
            }
            func hangUp(until words: String) async throws {
                server.signal(SIGHUP)
                _ = try await server.line { $0.contains(words) }
            }
            #expect(try await status(old) == 200)
            #expect(try await status(new) == 401)
            try write(OIDCKey.set([new]))
            try await hangUp(until: "reload finished")
            #expect(try await status(new) == 200)
            #expect(try await status(old) == 401)
            // An invalid file changes nothing, and the log says so.
            try write("{")
            try await hangUp(until: "the former content stays in use")
            #expect(try await status(new) == 200)
        }
    }

    @Test func `SIGHUP opens the log file anew and keeps the former one if it cannot`() async throws {
        let folder = temporaryPath("log")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func make() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        func waitFor(_ words: String, in path: String) async throws {
            while (try? String(contentsOfFile: path, encoding: .utf8))?.contains(words) != true {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        try make()
        let path = folder + "/graphd.log"
        let data = temporaryPath("graphd")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try GraphdProcess(["serve", "--data-dir", data, "--port", "0", "--log-file", path])
        defer { server.signal(SIGKILL) }
        try await waitFor("\"message\":\"listening\"", in: path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        server.signal(SIGHUP)
        try await waitFor("reload finished", in: path)

        // Without its folder, the path cannot be opened.
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
        defer { try? FileManager.default.removeItem(atPath: folder + ".moved") }
        server.signal(SIGHUP)
        try await waitFor("the former content stays in use", in: folder + ".moved/graphd.log")
        try make()
        server.signal(SIGHUP)
        try await waitFor("reload finished", in: path)
        server.signal(SIGTERM)
        #expect(await server.wait() == .exited(0))
        try await waitFor("redis-server stopped", in: path)
        #expect(server.lines.isEmpty, "\(server.lines)")

        let refused = try GraphdProcess(["serve", "--data-dir", data, "--log-file", folder])
        #expect(await refused.wait() == .exited(1))
        #expect(refused.lines.contains { $0.contains("cannot be opened") }, "\(refused.lines)")
    }

    @Test func `a crash ends the process without telling what is in its memory`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let lines = server.logLines.count
            server.signal(SIGILL)
            #expect(await server.ended() == .signalled(SIGILL))
            #expect(server.logLines.dropFirst(lines).allSatisfy { $0.hasPrefix("{") }, "\(server.logLines)")
        }
    }
}
