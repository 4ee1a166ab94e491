import CommandSupport
import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Servers in the process of the tests: each is on its own, as if it had a process.
@Suite(.timeLimit(.process))
struct ServersInOneProcessTests {
    private struct Refusal: Error {}

    @Test func `two servers at once share nothing`() async throws {
        try await GraphdServer.running(in: .here) { one in
            try await GraphdServer.running(in: .here) { other in
                let (author, stranger) = (try await one.person(), try await other.person())
                let writer = one.client(author)
                // A page builds the window that the post is then delivered into.
                #expect(try await writer.page("/v1/timelines/home").isEmpty)
                try await one.buildWindows([author])
                let post = try await writer.publish()
                try await one.waitForJobs()
                #expect(try await writer.page("/v1/timelines/home") == [post])
                #expect(try await other.client(stranger).get("/v1/posts/\(post)").status == 404)
                // A token of one server is nobody's at the other.
                #expect(try await other.client(author).get("/v1/me").status == 401)
                #expect(try await one.redisProcessID() != other.redisProcessID())
                #expect(try await deliveries(of: one) == 1)
                #expect(try await deliveries(of: other) == 0)
                #expect(try await published(at: one) == 1)
                #expect(try await published(at: other) == nil)
                for (server, path) in [(one, other.directory.path), (other, one.directory.path)] {
                    #expect(!server.logLines.isEmpty)
                    #expect(!server.logLines.contains { $0.contains(path) })
                }
            }
        }
    }

    @Test func `a directory has one server at a time, and the next one goes on where it ended`() async throws {
        try await GraphdServer.running(in: .here) { server in
            let author = try await server.person()
            let post = try await server.client(author).publish()
            try await server.waitForJobs()
            let refused = await #expect(throws: CommandFailure.self) {
                _ = try await ServingTask(Array(server.serveArguments.dropFirst()))
            }
            #expect(refused.map { "\($0)".contains("Another graphd serves") } == true)
            #expect(try await server.client(author).get("/v1/posts/\(post)").status == 200)

            let redis = try await server.redisProcessID()
            #expect(await server.stop() == .exited(0))
            #expect(await server.redisServers().isEmpty)
            await #expect(throws: (any Error).self) { try await server.client(author).get("/healthz") }
            try await server.start()
            try await server.waitForJobs()
            #expect(try await server.redisProcessID() != redis)
            #expect(try await server.client(author).page("/v1/timelines/home") == [post])
        }
    }

    @Test func `a stopped server holds no file open`() async throws {
        try await GraphdServer.prepared(in: .here) { server in
            let person = try await server.person()
            var counts: [Int] = []
            for _ in 0..<3 {
                try await server.start()
                _ = try await server.client(person).publish()
                try await server.waitForJobs()
                #expect(await server.stop() == .exited(0))
                counts.append(openFiles(in: server.directory.path).count)
            }
            // The test itself opens the database as well, at the latest in the first round.
            #expect(counts[1] == counts[0] && counts[2] == counts[0], "\(counts)")
        }
    }

    @Test func `a server is gone when its test has failed`() async throws {
        var left: GraphdServer?
        await #expect(throws: Refusal.self) {
            try await GraphdServer.running(in: .here) { server in
                left = server
                throw Refusal()
            }
        }
        let server = try #require(left)
        #expect(await server.redisServers().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: server.directory.path))
    }

    private func samples(of server: GraphdServer) async throws -> [String: Double] {
        try PrometheusParser(try await server.client().get("/metrics").text).samples
    }

    private func deliveries(of server: GraphdServer) async throws -> Double? {
        try await samples(of: server)["graphd_deliveries_total"]
    }

    private func published(at server: GraphdServer) async throws -> Double? {
        try await samples(of: server).first { name, _ in
            name.hasPrefix("http_requests_total{") && name.contains("route=/v1/posts,") && name.contains("method=POST")
        }?.value
    }

    /// The files below `directory` that this process has open, once for each descriptor.
    private func openFiles(in directory: String) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return
            descriptors
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(directory + "/") }
            .sorted()
    }
}
