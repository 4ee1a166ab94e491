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
        #expect(blocks.count == 10)
        // One asks systemd, which only tools/system/package has, and some the servers of a cluster. The exit status of
        // the doctor tells of the machine.
        let elsewhere = ["systemctl", "psql", "redis-cli", "graphd doctor"]
        try await Self.run(blocks.filter { block in !elsewhere.contains { block.contains($0) } }, count: 5)
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
                        .replacing("/var/lib/graphd", with: server.directory.path)
                        .replacing("/var/log/graphd.log", with: log))
            }
        }
    }
}
