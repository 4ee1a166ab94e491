import Database
import Glibc
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import CommandSupport
@testable import StrictJSON

/// State that survives a process, and exclusive serving of a data directory.
@Suite(.serialized, .timeLimit(.process))
struct RestartTests {
    @Test(arguments: [SIGTERM, SIGKILL])
    func `everything is kept and tokens stay valid`(signal: Int32) async throws {
        try await GraphdServer.running(in: .process) { server in
            let signup = try await server.client().post(
                "/v1/auth/signup", #"{"email":"a@example.org","password":"correct horse","username":"ada"}"#)
            let token = try #require(try signup.json["token"]?.text)
            let (author, reader) = (try await server.person(), try await server.person())
            #expect(try await server.client(reader).put("\(author.path)/follow").status == 204)
            for _ in 0..<5 { _ = try await server.client(author).publish() }
            _ = try await server.client(reader).page("/v1/timelines/home")
            let paths = [
                "/v1/me", "/v1/timelines/home", author.path, "\(author.path)/followers",
                "/v1/timelines/users/\(author.id.rawValue)",
            ]
            let before = try await paths.asyncMap { try await server.client(reader).get($0).body }

            if signal == SIGTERM { #expect(await server.stop() == .exited(0)) } else { await server.kill() }
            try await server.start()

            #expect(try await paths.asyncMap { try await server.client(reader).get($0).body } == before)
            #expect(try await server.client(token: token).get("/v1/me").json["username"] == .string("ada"))
            let login = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await server.client().post("/v1/auth/login", login).status == 200)
            // The windows were lost with their Redis. A read requests a new one.
            try await server.waitForJobs()
            try await server.buildWindows([reader])
            let report = try await server.verify([reader.id])
            #expect(report.isClean && report.windows == 1 && report.entries == 5, "\(report)")
            let id = try await server.client(author).publish()
            #expect(try await server.client(author).page("/v1/timelines/home").first == id)
        }
    }

    @Test func `a second server on the same data is refused and the first goes on`() async throws {
        try await GraphdServer.running(in: .process) { server in
            try await server.waitForJobs()
            let redis = try await server.redisProcessID()
            let second = try GraphdProcess(server.serveArguments)
            let end = await second.wait()
            guard case .exited(let status) = end, status != 0 else {
                Issue.record("a second server ended with \(end)")
                return
            }
            let text = second.lines.joined(separator: "\n")
            #expect(text.contains("Another graphd serves the data directory \(server.directory.path)"), "\(text)")
            try await server.waitUntilReady { $0["redis"]?.text == "up" }
            #expect(try await server.redisProcessID() == redis)
        }
    }

    /// Also holds if the Redis server is stopped, and if its process group receives SIGHUP, which the kernel sends when
    /// the parent of a stopped child dies.
    @Test(arguments: [nil, SIGSTOP, SIGHUP])
    func `the Redis server of a killed server ends with it`(after signal: Int32?) async throws {
        try await GraphdServer.running(in: .process) { server in
            try await server.waitForJobs()
            let left = try await server.redisProcessID()
            #expect(await server.redisServers() == [left])
            if let signal { kill(signal == SIGSTOP ? left : -getpgid(left), signal) }
            await server.kill()
            try await server.waitUntilRedisIsGone()
            try await server.start()
            try await server.waitForJobs()
            let fresh = try await server.redisProcessID()
            #expect(fresh != left)
            #expect(await server.redisServers() == [fresh])
        }
    }

    @Test(arguments: [
        ["serve", "--port", "70000"], ["serve", "--port", "x"], ["serve", "--redis", "nonsense"],
        ["serve", "--no-such"],
        ["serve", "--window-cap", "1"], ["serve", "--config", "/nonexistent.json"],
        ["serve", "--data-dir", "/proc/nowhere"],
    ])
    func `wrong usage says what is wrong`(_ arguments: [String]) async throws {
        let process = try GraphdProcess(arguments)
        guard case .exited(let status) = await process.wait() else {
            Issue.record("graphd crashed")
            return
        }
        #expect(status != 0)
        let text = process.lines.joined(separator: "\n")
        #expect(text.contains("Error: ") && !text.contains("Fatal error"), "\(text)")
    }
}
