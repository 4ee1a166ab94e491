import Glibc
import RedisClient
import ServiceTestSupport
import TestSupport
import Testing
import Timeline

@testable import StrictJSON

/// Redis dies or stops answering while the server keeps serving.
@Suite(.serialized, .timeLimit(.process))
struct RedisLossTests {
    @Test func `requests are answered right while Redis is killed again and again`() async throws {
        try await GraphdServer.running { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let (writer, client) = (server.client(author), server.client(reader))
            #expect(try await client.put("\(author.path)/follow").status == 204)
            var published: [String] = []
            for _ in 0..<3 {
                _ = try await client.page("/v1/timelines/home")
                try await server.waitForJobs()
                let pid = try await server.redisProcessID()
                _ = kill(pid, SIGKILL)
                // Not for a state: another Redis may be up before anybody asks.
                try await server.waitUntil {
                    server.logLines.contains {
                        $0.contains("redis-server ended unexpectedly") && $0.contains("\"\(pid)\"")
                    }
                }
                for _ in 0..<5 {
                    published.insert(try await writer.publish(), at: 0)
                    #expect(try await writer.page("/v1/timelines/home").first == published[0])
                    let page = try await client.page("/v1/timelines/home")
                    #expect(Set(page).isSubset(of: published))
                }
                try await server.waitUntilReady { $0["redis"]?.text == "up" }
                #expect(try await server.redisProcessID() != pid)
                try await server.waitForJobs()
                #expect(try await client.page("/v1/timelines/home") == published)
            }
            try await server.buildWindows([author, reader])
            let report = try await server.verify([reader.id, author.id])
            #expect(report.isClean && report.windows == 2 && report.entries == 30, "\(report)")
        }
    }

    /// A frozen Redis keeps its connections and answers nothing. Out of memory, it refuses every write with an error.
    @Test(arguments: ["frozen", "out of memory"])
    func `while Redis is of no use nothing is lost and it comes back by itself`(fault: String) async throws {
        try await GraphdServer.running { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let (writer, client) = (server.client(author), server.client(reader))
            #expect(try await client.put("\(author.path)/follow").status == 204)
            _ = try await client.page("/v1/timelines/home")
            try await server.waitForJobs()
            let pid = try await server.redisProcessID()
            func setMemory(_ bytes: String) async throws {
                try await server.tellRedis(RedisCommand("CONFIG", ["SET", "maxmemory", bytes]))
            }
            if fault == "frozen" { _ = kill(pid, SIGSTOP) } else { try await setMemory("1") }
            if fault == "frozen" { try await server.waitUntilReady { $0["redis"]?.text == "down" } }
            var published: [String] = []
            for _ in 0..<20 {
                published.insert(try await writer.publish(), at: 0)
                // A user's own acts show at once, those of others when they are delivered. Nothing else shows.
                #expect(try await writer.page("/v1/timelines/home").first == published[0])
                let page = try await client.page("/v1/timelines/home")
                #expect(Set(page).isSubset(of: published))
            }
            #expect(try await server.client().get("/readyz").status == 200)
            if fault == "frozen" { _ = kill(pid, SIGCONT) } else { try await setMemory("0") }
            try await server.waitForJobs()
            #expect(try await client.page("/v1/timelines/home") == published)
            _ = try await writer.page("/v1/timelines/home")
            try await server.waitForJobs()
            let report = try await server.verify([reader.id, author.id])
            #expect(report.isClean, "\(report)")
        }
    }

    @Test func `while Redis cannot come back everything is answered from the database`() async throws {
        try await GraphdServer.running(["--redis", "redis://127.0.0.1:1/0"]) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let (writer, client) = (server.client(author), server.client(reader))
            #expect(try await client.put("\(author.path)/follow").status == 204)
            let ids = try await (0..<30).asyncMap { _ in try await writer.publish() }
            #expect(try await client.ids("/v1/timelines/home", limit: 7) == ids.reversed())
            #expect(try await writer.delete("/v1/posts/\(ids[3])").status == 204)
            #expect(try await client.ids("/v1/timelines/home", limit: 7) == ids.reversed().filter { $0 != ids[3] })
            #expect(try await client.delete("\(author.path)/follow").status == 204)
            #expect(try await client.page("/v1/timelines/home") == [])
            let ready = try await client.get("/readyz")
            #expect(ready.status == 200)
            #expect(try ready.json["redis"] == .string("down") && ready.json["status"] == .string("ready"))
            #expect(try (ready.json["outbox"]?["pending"]?.number ?? 0) > 0)
            #expect(await server.stop() == .exited(0))
        }
    }
}
