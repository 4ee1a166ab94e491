import RedisClient
import SocialGraph

/// The windows of a server as another process, or a check within the server, reads them: the connection to each shard
/// and the keys of its generation.
package struct WindowStores: Sendable {
    package struct Store: Sendable {
        package let connection: any RedisSending
        /// The keys of the current generation; nil if there is none that can be trusted.
        package let keys: WindowKeys?

        package init(connection: any RedisSending, keys: WindowKeys?) {
            self.connection = connection
            self.keys = keys
        }
    }

    /// One for each shard, by index; nil for a shard that does not answer.
    package let shards: [Store?]

    package init(_ shards: [Store?]) { self.shards = shards }

    /// The only shard's.
    package init(connection: any RedisSending, keys: WindowKeys?) {
        self.init([Store(connection: connection, keys: keys)])
    }

    /// Returns the number and memory of all windows.
    package func statistics() async throws -> WindowStatistics {
        var statistics = WindowStatistics()
        for case let store? in shards {
            statistics.add(try await WindowStatistics.gather(store.keys, over: store.connection))
        }
        return statistics
    }

    /// Returns the lowest number of entries up to which the Redis of a shard keeps a sorted set compact.
    package func listpackEntries() async throws -> Int64? {
        var lowest: Int64?
        for case let store? in shards {
            let entries = try await WindowEncoding.listpackEntries(over: store.connection)
            lowest = min(lowest ?? entries, entries)
        }
        return lowest
    }

    /// Reads the windows of `viewers`, each from its shard; nil where there is none.
    func windows(of viewers: [UserID]) async throws -> [StoredWindow?] {
        if shards.count == 1 { return try await Self.windows(of: viewers, in: shards[0]) }
        var found: [UserID: StoredWindow] = [:]
        for (store, part) in zip(shards, viewers.byShard(among: shards.count)) where !part.isEmpty {
            for (viewer, window) in zip(part, try await Self.windows(of: part, in: store)) { found[viewer] = window }
        }
        return viewers.map { found[$0] }
    }

    private static func windows(of viewers: [UserID], in store: Store?) async throws -> [StoredWindow?] {
        guard let store, let keys = store.keys else { return viewers.map { _ in nil } }
        // Both keys of a window at one moment.
        let commands = viewers.flatMap { viewer in
            var sorted = RedisCommand("ZRANGE")
            keys.appendWindow(of: viewer, to: &sorted)
            sorted.append("0")
            sorted.append("-1")
            sorted.append("WITHSCORES")
            var tail = RedisCommand("GET")
            keys.appendTail(of: viewer, to: &tail)
            return [RedisCommand("MULTI"), sorted, tail, RedisCommand("EXEC")]
        }
        return try await store.connection.send(commands, timeout: nil) { replies in
            try replies.throwIfAnyError()
            return try stride(from: 3, to: replies.count, by: 4).map { index in
                try StoredWindow(sorted: replies[index][0], tail: replies[index][1])
            }
        }
    }
}
