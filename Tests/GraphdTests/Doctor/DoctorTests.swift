import Foundation
import RedisClient
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// `graphd doctor` beside a real server and a real Redis.
@Suite(.timeLimit(.process))
struct DoctorTests {
    private func findings(_ run: CommandRun) throws -> [String: [String]] {
        var levels: [String: [String]] = [:]
        for finding in try run.json.at("findings")?.arrayValue ?? [] {
            levels[finding.at("part")?.stringValue ?? "", default: []].append(finding.at("level")?.stringValue ?? "")
        }
        return levels
    }

    @Test func `a served directory is sound, and one without its server still is`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let directory = server.directory.path
            try await server.run(["backup", directory + ".backup"])
            defer { try? FileManager.default.removeItem(atPath: directory + ".backup") }
            let words = ["doctor", "--data-dir", directory, "--json", "--max-connections", "64"]
            // The exit status also depends on the clock service and the user of the machine.
            func look() async throws -> (run: CommandRun, levels: [String: [String]]) {
                let run = try await server.command(
                    words + ["--port", "\(server.port)", "--thorough"], environment: [:])
                return (run, try findings(run))
            }
            try await server.waitForJobs()
            var (served, levels) = try await look()
            // A Redis that does not answer in half a second counts as down.
            while levels["server"] == ["warning"] { (served, levels) = try await look() }
            for part in ["settings", "disk", "database", "server", "descriptors", "redis", "programs"] {
                #expect(levels[part] == ["sound"], "\(part): \(served)")
            }
            // The only fault of this backup is its place.
            #expect(levels["backup"] == ["warning"], "\(served)")
            let elsewhere = try await server.command(words + ["--port", "1"], environment: [:]).expect(1)
            #expect(try findings(elsewhere)["server"] == ["failure"])

            await server.kill()
            let alone = try await server.command(words + ["--port", "0"], environment: [:])
            levels = try findings(alone)
            #expect(levels["server"] == ["note"] && levels["redis"] == nil, "\(alone)")
            #expect(levels["database"] == ["sound"], "\(alone)")
            #expect(levels["backup"] == ["warning"], "\(alone)")
            try await server.start()
            try await server.expectCleanTimelines()
        }
    }

    @Test(.redisServer(arguments: ["--maxmemory", "64mb", "--timeout", "60"], tcp: true))
    func `an outside Redis is judged by its own answers`() async throws {
        let redis = try #require(RedisServer.current)
        let port = try #require(redis.port)
        try await withTemporaryDirectory("doctor") { directory in
            let words = ["doctor", "--data-dir", directory + "/none", "--port", "0", "--json"]
            let found = try await CommandRun.of(words + ["--redis", "redis://127.0.0.1:\(port)"]).expect(1)
            #expect(try findings(found)["directory"] == ["failure"])
            // Memory without eviction, connections that end, and too small a compact form.
            #expect(try findings(found)["redis"] == ["warning", "warning", "warning"], "\(found)")
            await redis.kill()
            let silent = try await CommandRun.of(words + ["--redis", "redis://:secret@127.0.0.1:\(port)"]).expect(1)
            #expect(try findings(silent)["redis"] == ["failure"])
            #expect(!silent.description.contains("secret"))
        }
    }

    @Test func `settings that no server accepts are the first finding`() async throws {
        let run = try await CommandRun.of(["doctor", "--port", "99999", "--json"]).expect(1)
        #expect(try findings(run) == ["settings": ["failure"]])
        try await CommandRun.of(["doctor", "--backup-age", "1s"]).expect(64)
    }
}
