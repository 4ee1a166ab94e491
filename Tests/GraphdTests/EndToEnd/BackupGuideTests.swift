import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport

/// The commands of docs/operations/backup.md, run as they are written there.
@Suite(.timeLimit(.process))
struct BackupGuideTests {
    @Test func `the commands of the guide work`() async throws {
        try await withTemporaryDirectory("guide") { root in
            try await GraphdServer.prepared(in: .process) { server in
                try await GuideCommands.prepare(server, in: root)
                let blocks = try GuideCommands.blocks(of: "docs/operations/backup.md")
                #expect(blocks.count == 3)
                await server.stop()
                try FileManager.default.moveItem(atPath: server.directory.path, toPath: root + "/var/lib/graphd")
                for block in blocks {
                    let script = block.replacing(#/\/(?:mnt\/backups|var\/(?:lib|tmp))\//#) { root + $0.output }
                    // The name of the backup is the day, which must not end between the commands.
                    try await GuideCommands.run("date() { echo 2026-07-01; }\n" + script)
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: root + "/var/lib").sorted()
                #expect(names == ["graphd", "graphd-damaged"])
                // The end of the test removes it.
                try FileManager.default.moveItem(
                    atPath: root + "/var/lib/graphd-damaged", toPath: server.directory.path)
            }
        }
    }
}
