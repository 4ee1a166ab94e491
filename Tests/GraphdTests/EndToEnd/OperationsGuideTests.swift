import CommandSupport
import Foundation
import ServiceTestSupport
import TestSupport
import Testing

/// The commands of the guides to incidents and sizing, run beside a server as they are written there.
@Suite(.timeLimit(.process))
struct OperationsGuideTests {
    @Test func `the commands for incidents work`() async throws {
        let blocks = try GuideCommands.blocks(of: "docs/operations/incidents.md")
        #expect(blocks.count == 11)
        // Two ask systemd, which only tools/system/package has, and some the servers of a cluster, below. The exit
        // status of the doctor tells of the machine.
        let elsewhere = ["journalctl", "psql", "redis-cli", "graphd doctor"]
        try await Self.run(blocks.filter { block in !elsewhere.contains { block.contains($0) } }, count: 5)
    }

    @Test func `the commands for a missing standby find it, and let the primary go on without one`() async throws {
        let blocks = try GuideCommands.blocks(of: "docs/operations/incidents.md").filter { $0.contains("psql") }
        try #require(blocks.count == 2)
        try await PostgreSQLServer.runningPair { primary, standby, url in
            func run(_ block: String) async throws {
                try await GuideCommands.run(block.replacing("--dbname graph", with: "--dbname '\(url)'"))
            }
            try await run(blocks[0].trimmingCharacters(in: .newlines) + " | grep -E 'streaming +[|] (sync|quorum)'")
            await standby.kill()
            try await run(blocks[1])
            // Otherwise it would wait for the standby.
            try await primary.execute("CREATE TABLE going_on (id integer)")
        }
    }

    @Test func `the commands for cold buckets tell the nodes of a cluster`() async throws {
        let blocks = try GuideCommands.blocks(of: "docs/operations/incidents.md").filter { $0.contains("redis-cli") }
        try #require(blocks.count == 1)
        let command = try #require(blocks[0].split(separator: "\n").first { $0.hasPrefix("redis-cli") })
        try await RedisClusterServers.with { servers in
            let node = servers.nodes[0]
            try await GuideCommands.run(
                command.replacing("-h 10.0.0.1", with: "-h 127.0.0.1 -p \(node.port)") + " | grep -q \(node.id)")
        }
    }

    @Test func `the commands for sizing work`() async throws {
        try await Self.run(try GuideCommands.blocks(of: "docs/operations/sizing.md"), count: 1)
    }

    private static func run(_ blocks: [String], count: Int) async throws {
        #expect(blocks.count == count)
        try await GraphdServer.prepared(in: .process) { server in
            let author = try await server.person()
            try await server.start()
            _ = try await server.client(author).publish()
            let log = server.directory.path + "/graphd.log"
            try #"{"message":"request failed"}"#.write(toFile: log, atomically: true, encoding: .utf8)
            for block in blocks {
                try await GuideCommands.run(
                    block.replacing("http://127.0.0.1:8080", with: "http://127.0.0.1:\(server.port)")
                        // The server of the test has a file.
                        .replacing(" --database postgres://graphd@db.example/graph", with: "")
                        .replacing("/var/lib/graphd", with: server.directory.path)
                        .replacing("/var/log/graphd/graphd.log", with: log))
            }
        }
    }
}
