import CommandSupport
import Foundation
import Logging
import RedisClient
import ServiceLifecycle
import Timeline

extension GraphServer {
    /// Returns the Redis that the configuration names, otherwise private ones that this process runs, one for each
    /// shard.
    func redis(
        _ directory: DataDirectory, _ depth: WindowDepth
    ) throws -> (servers: WindowServers, toRun: PrivateRedisServers?) {
        if let outside = configuration.redis { return (outside, nil) }
        let directories = directory.redisDirectories(shards: configuration.redisShards)
        let servers = try directories.enumerated().map { index, path in
            var logger = logger
            if directories.count > 1 { logger[metadataKey: "shard"] = "\(index)" }
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return try PrivateRedis(
                dataDirectory: path, options: .init(maxListpackEntries: depth.listpackEntries), logger: logger)
        }
        let others = ([directory.path] + directory.redisDirectories(shards: ShardNumber.counts.upperBound))
            .filter { !directories.contains($0) && FileManager.default.fileExists(atPath: $0 + "/redis.sock") }
        let toRun = PrivateRedisServers(servers: servers, otherDirectories: others, logger: logger)
        return (.servers(servers.map(\.configuration)), toRun)
    }
}

/// The private redis-servers as a service: started before their users, stopped after them.
struct PrivateRedisServers: Service {
    let servers: [PrivateRedis]
    /// Directories in which a killed start with another number of shards may have left servers.
    let otherDirectories: [String]
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for directory in otherDirectories { try await PrivateRedis.endLeftover(in: directory, logger: logger) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in servers { group.addTask { try await server.run() } }
                // The first error ends all of them.
                for try await _ in group {}
            }
        }
    }

    /// Returns once each of the servers answers. Throws if one does not in time.
    func waitUntilReady() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { try await server.waitUntilReady() } }
            try await group.waitForAll()
        }
    }
}

/// Connects to Redis only once our own children answer: until then, one left by a killed server may hold a socket, and
/// it must not be used. Meanwhile requests are answered from SQLite.
struct TimelinesOverPrivateRedis: Service {
    let timelines: TimelineService
    let redis: PrivateRedisServers

    func run() async throws {
        // A slower Redis is connected to whenever it is ready: a leftover has been ended by then.
        try? await cancelWhenGracefulShutdown { try await redis.waitUntilReady() }
        try await timelines.run()
    }
}
