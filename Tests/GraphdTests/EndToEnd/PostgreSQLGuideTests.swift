import Database
import Foundation
import PostgreSQLTestSupport
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport

/// The commands of docs/operations/postgresql.md, run as they are written there, by a user without special rights.
@Suite(.timeLimit(.process))
struct PostgreSQLGuideTests {
    @Test func `the commands of the guide work`() async throws {
        let owner = try await PostgreSQLServer.shared()
        try await withTemporaryDirectory("guide") { root in
            try await GraphdServer.prepared(in: .process) { server in
                try await GuideCommands.prepare(server, in: root)
                await server.stop()
                let data = root + "/var/lib/graphd"
                try FileManager.default.moveItem(atPath: server.directory.path, toPath: data)
                let blocks = try GuideCommands.blocks(of: "docs/operations/postgresql.md")
                try #require(blocks.count == 5)
                let address = "postgres://ann@/graph?host=\(owner.directory)"
                // Creates, copies there, backs up, restores; copies back.
                for index in [0, 1, 3, 4, 2] {
                    try await Self.run(blocks[index], owner, root)
                    if index == 1 { try await Self.open(data, address) }
                }
                try await onThread { try DataDirectory.open(at: data).openDatabase().close() }
                let names = try FileManager.default.contentsOfDirectory(atPath: root + "/var/lib").sorted()
                #expect(names == ["graphd", "graphd-former"])
                // The end of the test removes it.
                try FileManager.default.moveItem(atPath: data, toPath: server.directory.path)
            }
        }
    }

    private static func run(_ block: String, _ owner: PostgreSQLServer, _ root: String) async throws {
        let script =
            block
            .replacing("ROLE graphd", with: "ROLE ann").replacing("OWNER graphd", with: "OWNER ann")
            .replacing("graphd@db.example", with: "ann@")
            .replacing("?passfile=/etc/graphd/pgpass", with: "?passfile=\(root)/none&host=\(owner.directory)")
            .replacing(#/\/(?:mnt\/backups|var\/(?:lib|tmp))\//#) { root + $0.output }
        let surroundings = GraphdProcess.Surroundings(
            environment: ["PGHOST": owner.directory, "PGUSER": "graphd"])
        try await GuideCommands.run(script, surroundings)
    }

    /// Opens the database as a server does at its start.
    private static func open(_ data: String, _ address: String) async throws {
        try await onThread {
            let server = try DatabaseServer(parsing: address, isArgument: true)
            try DataDirectory.create(at: data, server: server).openDatabase().close()
        }
    }
}
