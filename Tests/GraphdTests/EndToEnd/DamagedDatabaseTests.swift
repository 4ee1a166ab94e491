import Database
import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Damaged bytes of `graph.db`.
@Suite(.serialized, .timeLimit(.process))
struct DamagedDatabaseTests {
    private func overwrite(_ path: String, at offset: Int64, count: Int64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(count)))
        try file.close()
    }

    /// Overwrites the root page of a table. The server must be stopped, and the database beside it is closed.
    private func damage(_ table: String, of server: GraphdServer) async throws {
        let (page, size) = try await server.graph.database.read { reader in
            (
                try reader.first("SELECT rootpage FROM sqlite_master WHERE name = ?1", [.text(table)]) {
                    $0.integer(0)
                } ?? 0, try reader.first("PRAGMA page_size", []) { $0.integer(0) } ?? 0
            )
        }
        try (server.graph.database as? SQLiteDatabase)?.close()
        try overwrite(server.directory.database, at: (page - 1) * size, count: size)
    }

    @Test func `a damaged page is found at the start and readiness tells`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let post = try await server.client(person).publish()
            #expect(try await server.client(person).put("/v1/posts/\(post)/like").status == 200)
            _ = await server.stop()
            try await damage("external_share", of: server)
            try await server.start()
            try await server.waitUntil { server.logLines.contains { $0.contains("the database is damaged") } }
            let ready = try await server.client().get("/readyz")
            #expect(ready.status == 503)
            let problem = try ready.json["problems"]?.entries?.first
            #expect(problem?["code"] == .string("database_corrupt"))
            #expect(problem?["detail"]?.text?.contains("restore graph.db from a backup") == true)
            // Requests that touch the damaged page fail; all others succeed.
            try await server.client(person).post("/v1/posts/\(post)/shares", #"{"platform":"x"}"#)
                .expectProblem(503, "unavailable")
            #expect(try await server.client(person).page("/v1/timelines/home") == [post])
            #expect(try await server.client().get("/healthz").status == 200)
        }
    }

    @Test func `the commands of the guide recover what can be read, and keep the damaged file`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let post = try await server.client(person).publish()
            _ = await server.stop()
            try await damage("external_share", of: server)
            let blocks = try GuideCommands.blocks(of: "docs/operations/disk-and-clock.md")
            #expect(blocks.count == 2)
            for block in blocks {
                try await GuideCommands.run(block.replacing("/var/lib/graphd", with: server.directory.path))
            }
            #expect(FileManager.default.fileExists(atPath: server.directory.path + "/damaged/graph.db"))
            #expect(try DatabaseFile(reading: server.directory.database).damage(.everything) == nil)
            try await server.start()
            #expect(try await server.client(person).page("/v1/timelines/home") == [post])
            try await server.waitForJobs()
        }
    }

    @Test func `a file that is no database is refused with the way back`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            try (server.graph.database as? SQLiteDatabase)?.close()
            try overwrite(server.directory.database, at: 0, count: 4_096)
            let refused = try GraphdProcess(server.serveArguments)
            #expect(await refused.wait() != .exited(0))
            for part in ["damaged", "backup", "disk-and-clock.md"] {
                #expect(refused.lines.contains { $0.contains(part) }, "\(refused.lines)")
            }
        }
    }
}
