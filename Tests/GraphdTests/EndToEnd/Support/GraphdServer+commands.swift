import Database
import Foundation
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import Timeline

/// Commands and queries beside the server.
extension GraphdServer {
    /// Runs `graphd` over the server's data directory and expects exit status 0.
    func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let process = try GraphdProcess(arguments + storageArguments)
        let end = await process.wait()
        #expect(end == .exited(0), "\(process.lines.suffix(5))", sourceLocation: sourceLocation)
    }

    /// Runs `graphd import follows` over these pairs of names, follower first.
    func importFollows(_ pairs: [(String, String)]) async throws {
        let file = directory.path + "/follows.csv"
        let text = "follower,followee\n" + pairs.map { "\($0.0),\($0.1)\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try await run(["import", "follows", file])
    }

    /// Expects that every window equals SQLite's answer and has an expiry, by running `timelines verify` over all
    /// users.
    func expectCleanTimelines(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await run(["timelines", "verify", "--all", "--json"], sourceLocation: sourceLocation)
    }

    /// The remaining lifetime of each window in seconds, by its reader; -1 for a window without expiry.
    func windowExpiries() async throws -> [UserID: Int64] {
        let keys = try #require(try await WindowSpace.stored(in: graph)?.keys)
        let connection = try RedisConnection(configuration: patientRedis, name: "expiries", logger: .silent)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            defer { connection.close() }
            try await connection.waitUntilUp()
            let pattern = RedisCommand("KEYS", [keys.windowPattern])
            let names = try await connection.send(pattern) { reply in
                try (0..<reply.count).map { try reply[$0].text }
            }
            var expiries: [UserID: Int64] = [:]
            for name in names {
                let id = try #require(name.split(separator: ":").last.flatMap { Int64($0) })
                expiries[UserID(rawValue: id)] = try await connection.send(RedisCommand("TTL", [name])) {
                    try $0.int64
                }
            }
            return expiries
        }
    }

    /// Sends one command to the private Redis, beside the server.
    func tellRedis(_ command: RedisCommand) async throws {
        let connection = try RedisConnection(configuration: patientRedis, name: "test", logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            defer { connection.close() }
            try await connection.waitUntilUp()
            _ = try await connection.send(command) { try $0.text }
        }
    }
}
