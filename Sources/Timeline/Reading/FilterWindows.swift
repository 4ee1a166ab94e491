import Coordination
import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization

/// Windows of filtered timelines, for filters with few matches. They are built on demand, under the same floor rule,
/// and never receive pushes. A filter window is complete from its ceiling, the newest position at the time of its
/// build, down to its floor. The home window answers above the ceiling, SQLite below the floor. An act that may bring
/// an older post into its reader's timeline ends the window.
///
/// The entries are stored in Redis under a name that is used once, `f:{generation}:{user}:{number}`, and expire by
/// themselves. Only this process knows which reader owns a window.
final class FilterWindows: Sendable {
    /// Maximum number of entries in a filter window.
    static let length = 128
    /// Lifetime of a filter window in seconds.
    static let lifetime: Int64 = 3_600
    /// Maximum number of filter windows known at a time.
    static let capacity = 100_000
    /// Maximum number of windows queued for a build.
    static let queueLength = 65_536

    struct Key: Hashable, Sendable {
        let viewer: UserID
        let filter: FeedFilter
    }

    struct Window: Sendable {
        let number: Int64
        /// ``WindowKeys/path`` of the generation.
        let generation: String
        let ceiling: FeedPosition
        /// The mark of late events up to which none concerns the window.
        let mark: Int
        /// The time at which something expires that hid posts from the window.
        let expiry: Int64?
    }

    private struct State {
        var windows = TwoGenerations<Key, Window>(capacity: FilterWindows.capacity) { _ in 1 }
        var next: Int64 = 1
    }

    /// The windows requested by reads.
    let requests = RequestQueue<Key>(capacity: FilterWindows.queueLength)
    private let state = Mutex(State())
    private let shards: ReadableShards
    private let late: LateEvents
    /// Distinguishes the windows of this process from those of others.
    private let process: Int64

    /// - Parameter process: a number that no other process uses, beside this one or before it.
    init(shards: ReadableShards, late: LateEvents, process: Int64) {
        self.shards = shards
        self.late = late
        self.process = process
    }

    var mark: Int { late.mark }

    func requestBuild(_ key: Key) { requests.request(key) }

    /// Returns the window of `key`, if there is one that is valid for `context`.
    func window(_ key: Key, for context: ViewerContext) -> Window? {
        let found = state.withLock { $0.windows.value(for: key) }
        guard let found else { return nil }
        let mark = late.mark
        guard found.generation == shard(of: key).space.keys?.path, found.expiry == context.nextExpiry,
            !late.concern(context, since: found.mark)
        else {
            forget(key)
            return nil
        }
        if mark != found.mark {
            let moved = Window(
                number: found.number, generation: found.generation, ceiling: found.ceiling, mark: mark,
                expiry: found.expiry)
            keep(moved, as: key)
        }
        return found
    }

    private func shard(of key: Key) -> ReadableShard { shards.shard(of: key.viewer) }

    func forget(_ key: Key) { state.withLock { $0.windows.remove(key) } }

    private func keep(_ window: Window, as key: Key) { state.withLock { $0.windows.insert(window, for: key) } }

    /// Returns up to `count` entries strictly below `cursor`. Nil if the window is lost or ends above the cursor.
    func slice(_ window: Window, of key: Key, below cursor: FeedPosition, count: Int) async throws -> FeedSlice? {
        let command = sliceCommand(window, of: key, below: cursor, count: count)
        return try await shard(of: key).connection.send(command, timeout: nil) { try FeedSlice(window: $0) }
    }

    func sliceCommand(_ window: Window, of key: Key, below cursor: FeedPosition, count: Int) -> RedisCommand {
        var command = RedisCommand("ZRANGEBYSCORE", reservingArguments: 7, bytes: 112)
        append(window.number, of: key, window.generation, to: &command)
        command.append {
            $0.write("(-")
            $0.write(integer: cursor.rawValue)
        }
        for word in ["0", "WITHSCORES", "LIMIT", "0"] { command.append(word) }
        command.append(integer: Int64(count))
        return command
    }

    /// Stores entries that were read after `mark` and `ceiling` were: all matching entries at or below the ceiling,
    /// newest first, to the beginning or to the last of them.
    func store(
        _ entries: [FeedEntry], isWhole: Bool, ceiling: FeedPosition, mark: Int, expiry: Int64? = nil, as key: Key
    ) async throws {
        let shard = shard(of: key)
        guard let generation = shard.space.keys?.path else { return }
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        var add = RedisCommand("ZADD")
        append(number, of: key, generation, to: &add)
        for entry in entries {
            add.append(integer: -entry.position.rawValue)
            add.append(integer: entry.post.rawValue)
        }
        if isWhole {
            add.append("0")
            add.append("0")
        }
        guard isWhole || !entries.isEmpty else { return }
        var expire = RedisCommand("EXPIRE")
        append(number, of: key, generation, to: &expire)
        expire.append(integer: Self.lifetime)
        // The expiry has to follow the key. A connection lost in between leaves one small key to the sweeper.
        try await shard.connection.send([add, expire], timeout: nil) { try $0.throwIfAnyError() }
        keep(Window(number: number, generation: generation, ceiling: ceiling, mark: mark, expiry: expiry), as: key)
    }

    private func append(_ number: Int64, of key: Key, _ generation: String, to command: inout RedisCommand) {
        command.append("f:\(generation):\(key.viewer.rawValue):\(process).\(number)")
    }
}
