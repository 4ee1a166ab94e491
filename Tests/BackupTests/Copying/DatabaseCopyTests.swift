import Database
import Foundation
import GraphAssembly
import PostgreSQL
import SocialGraph
import TestSupport
import Testing
import Text
import Timeline

@testable import Backup
@testable import CommandSupport

@Suite(.timeLimit(.process))
struct DatabaseCopyTests {
    @Test func `a copy to PostgreSQL and back equals the original row by row`() async throws {
        try await withScene { scene in
            let before = try await Dump(scene.original)
            try await scene.withServer { server in
                let summary = try await scene.copy(scene.original, server)
                #expect(summary.rows == before.rows.count)
                #expect(summary.timelines.timelines == 6 && summary.timelines.isClean)
                try await scene.withFile("back") { back in
                    _ = try await scene.copy(server, back)
                    #expect(try await Dump(back) == before)
                    #expect(try await foundPosts(in: back) == foundPosts(in: scene.original))
                }
                #expect(try await foundPosts(in: server) == foundPosts(in: scene.original))
            }
            #expect(try await Dump(scene.original) == before)
        }
    }

    @Test func `an interrupted copy continues where it was`() async throws {
        try await withScene { scene in
            try await scene.withServer { server in
                // Each attempt may write a little more than the one before.
                var attempts = 0
                while true {
                    let limited = InterruptedDatabase(server, writes: attempts * 3)
                    attempts += 1
                    do {
                        _ = try await scene.copy(scene.original, limited)
                        break
                    } catch is InterruptedDatabase.Interruption {
                        #expect(throws: CommandFailure.self) { try UnfinishedCopy.refuse(server) }
                    }
                }
                #expect(attempts > 5)
                #expect(try await Dump(server) == Dump(scene.original))
            }
        }
    }

    @Test func `a source that has changed since an interrupted copy is refused`() async throws {
        try await withScene { scene in
            try await scene.withServer { server in
                await #expect(throws: InterruptedDatabase.Interruption.self) {
                    try await scene.copy(scene.original, InterruptedDatabase(server, writes: 5))
                }
                try await scene.content.post(scene.author, "later")
                let failure = await #expect(throws: CommandFailure.self) {
                    try await scene.copy(scene.original, server)
                }
                #expect(failure?.description.contains("unfinished copy of another state") == true)
            }
        }
    }

    @Test func `a database that holds a graph is not a target`() async throws {
        try await withScene { scene in
            try await scene.withServer { server in
                _ = try await GraphStore(database: server).accounts.createAccount(
                    username: "ada", email: nil, passwordHash: nil)
                let failure = await #expect(throws: CommandFailure.self) {
                    try await scene.copy(scene.original, server)
                }
                #expect(failure?.description.contains("holds a graph already") == true)
            }
        }
    }

    @Test func `a row that was not copied as it is ends the copy`() async throws {
        try await withScene { scene in
            try await scene.withServer { server in
                let failure = await #expect(throws: CommandFailure.self) {
                    try await scene.copy(scene.original, AlteringDatabase(server))
                }
                #expect(failure?.description.contains("The table account") == true)
                #expect(throws: CommandFailure.self) { try UnfinishedCopy.refuse(server) }
            }
        }
    }

    @Test func `a directory becomes the database of a server and again one with a file`() async throws {
        try await withScene { scene in
            try await PostgreSQLServer.shared().withDatabase { address in
                let server = DatabaseServer(address: address)
                try scene.content.database.close()
                try await copyPlaces(.directory(scene.path), .server(server))
                // The file is still there, and the database of the server has the graph.
                try await BlockingThread.run {
                    try DataDirectory.open(at: scene.path).openDatabase().close()
                    try DataDirectory.create(at: scene.path, server: server).openDatabase().close()
                    #expect(throws: CommandFailure.self) { try DataDirectory.open(at: scene.path).openDatabase() }
                    try FileManager.default.removeItem(atPath: scene.path + "/graph.db")
                }
                try await copyPlaces(.server(server), .directory(scene.path))
                try await BlockingThread.run {
                    #expect(!NodeFile.exists(in: scene.path))
                    try DataDirectory.open(at: scene.path).openDatabase().close()
                }
            }
        }
    }

    @Test func `a served directory, one with a graph and an empty database are refused`() async throws {
        try await withScene { scene in
            try await PostgreSQLServer.shared().withDatabase { address in
                let server = DatabaseServer(address: address)
                let directory = DataDirectory(path: scene.path)
                await expectRefusal(.server(server), .directory(scene.path + "/new"), "holds no graph")
                let lock = try directory.lockForServing()
                await expectRefusal(.directory(scene.path), .server(server), "serves the data directory")
                withExtendedLifetime(lock) {}
                await expectRefusal(.directory(scene.path + "/none"), .server(server), "not a data directory")
            }
        }
    }

    @Test func `an unfinished copy is not copied`() async throws {
        try await withScene { scene in
            try await PostgreSQLServer.shared().withDatabase { address in
                let database = try await BlockingThread.run {
                    try PostgreSQLDatabase(graphAt: address, options: .tests)
                }
                await #expect(throws: InterruptedDatabase.Interruption.self) {
                    try await scene.copy(scene.original, InterruptedDatabase(database, writes: 5))
                }
                try await BlockingThread.run { database.close() }
                let server = CopyPlace.server(DatabaseServer(address: address))
                await expectRefusal(server, .directory(scene.path + "/new"), "unfinished copy")
            }
        }
    }

    @Test func `an empty database is not served in place of a file with a graph`() async throws {
        try await withScene { scene in
            try await PostgreSQLServer.shared().withDatabase { address in
                let directory = DataDirectory(path: scene.path, server: DatabaseServer(address: address))
                let failure = await #expect(throws: CommandFailure.self) {
                    try await BlockingThread.run { try directory.openDatabase().close() }
                }
                #expect(failure?.description.contains("graphd database copy") == true)
            }
        }
    }
}

private func copyPlaces(_ from: CopyPlace, _ to: CopyPlace) async throws {
    let source = try await OpenCopyPlace.source(from)
    try await source.use(isComplete: false) {
        let target = try await OpenCopyPlace.target(to)
        try await target.use(isComplete: true) {
            _ = try await DatabaseCopy(
                from: source.database, to: target.database, names: (source.name, target.name)
            ).run()
        }
    }
}

private func expectRefusal(
    _ from: CopyPlace, _ to: CopyPlace, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let failure = await #expect(throws: CommandFailure.self, sourceLocation: sourceLocation) {
        try await copyPlaces(from, to)
    }
    #expect(
        failure?.description.contains(words) == true, "\(failure?.description ?? "")", sourceLocation: sourceLocation)
}

private func foundPosts(in database: any GraphDatabase) async throws -> [Int64] {
    guard let query = TextQuery(.posts, SearchWords("number")) else { return [] }
    return try await database.read { try $0.text.matches(query, below: .max, limit: 100) }
}
