import Glibc
import ServiceTestSupport
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import StrictJSON

/// SIGTERM: accepted requests are answered, acknowledged writes are kept, and no process is left running.
@Suite(.serialized, .timeLimit(.process))
struct ShutdownTests {
    private final class Acknowledged: Sendable {
        let ids = Mutex<Set<String>>([])
    }

    private func expectCleanEnd(_ server: GraphdServer) async {
        #expect(await server.stop() == .exited(0))
        #expect(await server.redisServers() == [])
    }

    @Test func `under load every answer is whole and every acknowledged post is kept`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let author = try await server.person()
            let client = server.client(author)
            let acknowledged = Acknowledged()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        while !Task.isCancelled {
                            let answer: Answer
                            do {
                                answer = try await client.post(
                                    "/v1/posts", #"{"caption":"load","mediaUrl":"https://example.org/v"}"#)
                            } catch { return }
                            #expect(answer.status == 201, "\(answer)")
                            let id = try #require(try answer.json["postId"]?.text)
                            acknowledged.ids.withLock { _ = $0.insert(id) }
                        }
                    }
                }
                try await server.waitUntil { acknowledged.ids.withLock { $0.count } >= 200 }
                await expectCleanEnd(server)
                try await group.waitForAll()
            }
            try await server.start()
            let kept = Set(try await server.client(author).ids("/v1/timelines/home"))
            let lost = acknowledged.ids.withLock { $0.subtracting(kept) }
            #expect(lost.isEmpty, "\(lost.count) acknowledged posts are lost")
            try await server.waitForJobs()
            #expect(try await server.verify([author.id]).isClean)
        }
    }

    /// Sends one whole request and the beginning of the next in one write. Once the first is answered, the server has
    /// begun the second.
    @Test func `a request whose body is still coming is answered whole`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let author = try await server.person()
            let body = #"{"caption":"slow","mediaUrl":"https://example.org/v"}"#
            let connections = try (0..<10).map { _ in try RawConnection(port: server.port) }
            for connection in connections {
                try await connection.send(
                    "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nPOST /v1/posts HTTP/1.1\r\nHost: a\r\n"
                        + "Authorization: Bearer \(author.token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                        + body.prefix(20))
                #expect(try await connection.receive { $0.contains("alive") }.hasPrefix("HTTP/1.1 200"))
            }
            async let end = server.stop()
            for connection in connections { try await connection.send(String(body.dropFirst(20))) }
            var ids: [String] = []
            for connection in connections {
                let answer = try await connection.receive()
                #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
                let json = answer.split(separator: "\r\n\r\n").last ?? ""
                ids.append(try JSONReader.read(Array(json.utf8))["postId"]?.text ?? "none")
            }
            let ended = await end
            #expect(ended == .exited(0), "\(server.logLines.suffix(5).joined(separator: "\n"))")
            try await server.start()
            #expect(try await Set(server.client(author).ids("/v1/timelines/home")) == Set(ids))
        }
    }

    @Test func `idle connections do not hold up the end`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let silent = try (0..<10).map { _ in try RawConnection(port: server.port) }
            let idle = try (0..<10).map { _ in try RawConnection(port: server.port) }
            for connection in idle {
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await connection.receive { $0.contains("alive") }.hasPrefix("HTTP/1.1 200"))
            }
            await expectCleanEnd(server)
            for connection in idle + silent { #expect((try? await connection.receive()) ?? "" == "") }
        }
    }

    @Test func `a client that never finishes its request does not hold it up for long`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let author = try await server.person()
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nPOST /v1/posts HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer \(author.token)\r\nContent-Length: 1000\r\n\r\n{")
            #expect(try await connection.receive { $0.contains("alive") }.hasPrefix("HTTP/1.1 200"))
            await expectCleanEnd(server)
        }
    }

    @Test func `the server ends while Redis hangs`() async throws {
        try await GraphdServer.running(in: .process) { server in
            try await server.waitForJobs()
            let author = server.client(try await server.person())
            _ = Glibc.kill(try await server.redisProcessID(), SIGSTOP)
            let id = try await author.publish()
            await expectCleanEnd(server)
            try await server.start()
            #expect(try await server.client(token: author.token).page("/v1/timelines/home") == [id])
        }
    }
}
