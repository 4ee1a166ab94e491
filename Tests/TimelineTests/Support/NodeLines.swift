import Foundation
import TestSupport

@testable import PostgreSQL

/// The lines between a node and its servers: the database, and each redis-server.
struct NodeLines: Sendable {
    let database: SocketLine
    let redis: [SocketLine]
    /// The graph at the other end of the line to the database.
    let location: GraphLocation
    private let directory: String

    init(to address: PostgreSQLAddress, _ servers: [RedisServer]) throws {
        let directory = try makeTemporaryDirectory("lines")
        self.directory = directory
        database = try SocketLine(to: address.socket, at: PostgreSQLAddress.socket(in: directory))
        redis = try servers.enumerated().map { number, server in
            try SocketLine(to: server.socketPath, at: directory + "/redis\(number)")
        }
        location = .server(try address.moved(to: directory))
    }

    func stop() {
        for line in redis + [database] { line.stop() }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
