import Algorithms
import Logging
import RedisClient
import SocialGraph

/// Deletes the keys of retired generations: those left in an external Redis, and those retired by an import of many
/// posts.
struct WindowSweeper: Sendable {
    /// Keys deleted by one command.
    private static let keysAtOnce = 500

    let space: WindowSpace
    let connection: any WindowConnection
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await sweep()
            } catch {
                logger.debug("sweep interrupted", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(30))
        }
    }

    func sweep() async throws {
        try await connection.waitUntilUp()
        let retired = try await space.retiredGenerations().filter { $0 != space.keys }
        if retired.isEmpty || space.keys == nil { return }
        var swept = 0
        if let bucket = space.shard.bucket {
            swept = try await unlink(in: bucket, retired)
        } else {
            for pattern in retired.flatMap(\.allPatterns) { swept += try await unlink(pattern) }
        }
        try await space.forgetRetiredGenerations()
        logger.info("retired windows removed", metadata: ["keys": "\(swept)", "generations": "\(retired.count)"])
    }

    private func unlink(_ pattern: String) async throws -> Int {
        var count = 0
        try await connection.scan(pattern, atOnce: Self.keysAtOnce) { count += try await unlink($0) }
        return count
    }

    /// A cluster lists the keys of a slot at once. A scan would look at those of all other buckets, too.
    private func unlink(in bucket: RedisBucket, _ retired: [WindowKeys]) async throws -> Int {
        let names = try await connection.keys(in: bucket).filter { name in
            retired.contains { name.dropFirst(2).starts(with: $0.path) }
        }
        var count = 0
        for part in names.chunks(ofCount: Self.keysAtOnce) { count += try await unlink(Array(part)) }
        return count
    }

    private func unlink(_ names: [String]) async throws -> Int {
        if names.isEmpty { return 0 }
        return Int(try await connection.send(RedisCommand("UNLINK", names), timeout: nil) { try $0.integer })
    }
}

extension RedisSending {
    /// Calls `body` with the names of the keys that match `pattern`, some at a time.
    func scan(_ pattern: String, atOnce count: Int, _ body: ([String]) async throws -> Void) async throws {
        var cursor = "0"
        repeat {
            let (next, names) = try await scan(pattern, from: cursor, atOnce: count)
            try await body(names)
            cursor = next
        } while cursor != "0"
    }

    /// Returns the names of some keys that match `pattern`, and the cursor of the next ones.
    func scan(
        _ pattern: String, from cursor: String, atOnce count: Int
    ) async throws -> (next: String, names: [String]) {
        let scan = RedisCommand("SCAN", [cursor, "MATCH", pattern, "COUNT", String(count)])
        return try await send(scan, timeout: nil) { (try $0[0].text, try $0[1].texts) }
    }

    /// Returns the names of all keys in the slot of a bucket.
    func keys(in bucket: RedisBucket) async throws -> [String] {
        let slot = String(bucket.slot.number)
        let count = try await send(RedisCommand("CLUSTER", ["COUNTKEYSINSLOT", slot]), timeout: nil) { try $0.integer }
        // Keys that come meanwhile are of the present generation.
        let list = RedisCommand("CLUSTER", ["GETKEYSINSLOT", slot, String(count + 1_000)])
        return try await send(list, timeout: nil) { try $0.texts }
    }
}
