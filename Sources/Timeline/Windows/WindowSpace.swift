import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization

/// The trusted windows of one shard: the generation, bound to one process of one Redis, and the fence of this
/// connection.
///
/// A new process of Redis (a restart, an old snapshot, a fail-over) or a lost state key leads to a new generation,
/// hence no windows. A mere reconnect leads to a new fence, and commands of the old connection that still wait in a
/// socket are refused.
package final class WindowSpace: Sendable {
    /// The values that every command is composed with.
    struct Epoch: Sendable, Equatable {
        let keys: WindowKeys
        let fence: String
        let scripts: ScriptDigests
    }

    private struct State {
        var epoch: Epoch?
        var generation: WindowKeys?
        var runID: String?
        /// True while the generation has ended and no connection has begun another.
        var isGivenUp = false
        /// Number of times that the shard was given up or doubted.
        var surrenders = 0
        /// True if the stored generation must not be trusted, whoever serves it.
        var isDoubted = false
    }

    /// The number of fences of this process. A fan-out that begins anew under the same lease, with connections of its
    /// own, has another fence, too.
    private static let fences = Atomic(0)

    let shard: ShardNumber
    private var setting: String { Self.setting(of: shard) }
    private var retired: String { "retired_window_generations" + shard.suffix }
    private let state = Mutex(State())
    private let graph: any GenerationStoring
    private let lease: LeaseStamp
    /// Returns whether windows may be changed: only while the lease is held.
    package let mayWrite: @Sendable () -> Bool
    /// Copies of windows of this generation; nil: none are kept.
    package let recent: RecentWindows?
    private let logger: Logger

    package init(
        graph: any GenerationStoring, lease: LeaseStamp, shard: ShardNumber = .only, recent: RecentWindows? = nil,
        mayWrite: @escaping @Sendable () -> Bool = { true }, logger: Logger
    ) {
        self.graph = graph
        self.shard = shard
        self.lease = lease
        self.recent = recent
        self.mayWrite = mayWrite
        self.logger = logger
    }

    /// Nil while no generation is established.
    var epoch: Epoch? { state.withLock { $0.epoch } }

    /// The keys that may be read, without permission to write.
    package var keys: WindowKeys? { state.withLock { $0.epoch?.keys } }

    func suspend() { state.withLock { $0.epoch = nil } }

    /// Ends the generation as soon as the windows are established again, by whomever.
    func doubt() {
        state.withLock { state in
            state.epoch = nil
            state.isDoubted = true
            state.surrenders += 1
        }
    }

    /// Establishes generation and fence over a new connection of the writer. Nothing else is sent before it has ended.
    package func establish(over connection: some RedisSending, runID: String) async throws {
        try await establish(over: connection, runID: runID, loaded: nil)
    }

    /// - Parameter loaded: The digests of the scripts, if this Redis has them already.
    func establish(over connection: some RedisSending, runID: String, loaded: ScriptDigests?) async throws {
        suspend()
        let fence = "\(lease.epoch).\(Self.fences.add(1, ordering: .relaxed).newValue)"
        let (surrenders, isDoubted) = state.withLock { ($0.surrenders, $0.isDoubted) }
        var generation = isDoubted ? nil : try await trustedGeneration(runID)
        if let trusted = generation, try await !setFence(fence, trusted, isNew: false, over: connection) {
            generation = nil
        }
        let keys = generation ?? WindowKeys(generation: Self.freshGeneration(), bucket: shard.bucket)
        if generation == nil {
            try await adopt(keys, runID: runID)
            _ = try await setFence(fence, keys, isNew: true, over: connection)
            // Before the generation can be read or pushed to.
            recent?.forgetAll()
        }
        let scripts = if let loaded { loaded } else { try await ScriptDigests.load(over: connection) }
        let isValid = state.withLock { state in
            // The stored generation may have ended since it was read.
            guard state.surrenders == surrenders else { return false }
            state.generation = keys
            state.runID = runID
            state.epoch = Epoch(keys: keys, fence: fence, scripts: scripts)
            state.isGivenUp = false
            state.isDoubted = false
            return true
        }
        guard isValid else { throw RedisError.unavailable }
        logger.log(
            level: shard.bucket == nil ? .info : .debug, "windows established",
            metadata: [
                "generation": "\(keys.generation)", "new": "\(generation == nil)", "fence": "\(fence)",
                "shard": "\(shard.index)",
            ])
    }

    /// Confirms that a reader's connection leads to the Redis process that the generation belongs to. Waits a moment
    /// for the writer's connection, made at the same time, to establish the generation.
    package func confirm(runID: String) async throws {
        for _ in 0..<100 {
            let (isEstablished, established) = state.withLock { ($0.epoch != nil, $0.runID) }
            if isEstablished {
                guard established == runID else { throw RedisError.unavailable }
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw RedisError.unavailable
    }

    /// Returns the stored generation, if it belongs to this process of Redis.
    private func trustedGeneration(_ runID: String) async throws -> WindowKeys? {
        guard let stored = try await Self.stored(in: graph, shard), stored.runID == runID else { return nil }
        return stored.keys
    }

    /// Returns the generation in the data directory, for processes that only read.
    package static func stored(
        in graph: any GenerationStoring, _ shard: ShardNumber = .only
    ) async throws -> (keys: WindowKeys, runID: String)? {
        try await graph.setting(setting(of: shard)).map { try decode($0, of: shard) }
    }

    /// Decodes a stored generation and the process of Redis that it belongs to.
    static func decode(_ value: String, of shard: ShardNumber) throws -> (keys: WindowKeys, runID: String) {
        let parts = value.split(separator: " ")
        guard parts.count == 2 else { throw DatabaseError.undecodable(WindowKeys.self, value) }
        return (WindowKeys(generation: String(parts[0]), bucket: shard.bucket), String(parts[1]))
    }

    /// Stores the new generation before any key carries its name. Refused to a process that has lost its lease.
    private func adopt(_ keys: WindowKeys, runID: String) async throws {
        var settings = [setting: "\(keys.generation) \(runID)"]
        if let old = try await Self.stored(in: graph, shard) {
            let earlier = try await graph.setting(retired) ?? ""
            settings[retired] = earlier + " " + old.keys.generation
        }
        try await graph.store(settings, under: lease)
    }

    /// Replaces the fence of earlier lease epochs. Returns false if the state of a generation that is not new has been
    /// lost, or if a fence of a later epoch is set: then this process has lost its lease, or the database is a copy
    /// from before that epoch and lacks everything since.
    private func setFence(
        _ fence: String, _ keys: WindowKeys, isNew: Bool, over connection: some RedisSending
    ) async throws -> Bool {
        var command = RedisCommand("EVAL")
        command.append(Self.fenceScript)
        command.append("1")
        keys.appendState(to: &command)
        command.append(fence)
        command.append(integer: lease.epoch)
        command.append(isNew ? "1" : "0")
        return try await connection.send(command, timeout: nil) { try $0.integer } == 1
    }

    private static let fenceScript = """
        local former = redis.call('HGET', KEYS[1], 'fence')
        local epoch = former and tonumber(string.match(former, '^(%d+)[.]'))
        if epoch and epoch > tonumber(ARGV[2]) then return 0 end
        if ARGV[3] == '1' then
            redis.call('HSET', KEYS[1], 'stamp', '0')
        elseif redis.call('HEXISTS', KEYS[1], 'stamp') == 0 then
            return 0
        end
        redis.call('HSET', KEYS[1], 'fence', ARGV[1])
        return 1
        """

    /// Returns six characters, so that all keys have the same length.
    private static func freshGeneration() -> String {
        String(UInt32.random(in: 60_466_176..<2_176_782_336), radix: 36)
    }

    /// The generations whose keys may still exist in an external Redis.
    package func retiredGenerations() async throws -> [WindowKeys] {
        try await graph.setting(retired)?.split(separator: " ").map {
            WindowKeys(generation: String($0), bucket: shard.bucket)
        } ?? []
    }

    package func forgetRetiredGenerations() async throws {
        try await graph.store([retired: ""], under: lease)
    }
}

extension WindowSpace {
    /// The run of Redis to which an ended generation belongs: none.
    static let ended = "ended"

    /// True while no operation has to wait: the windows that it would change are gone for good.
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
    /// True if the others do not wait for this shard.
    var mayBeGivenUp: Bool { shard.count > 1 }

    /// Ends the generation, so that operations on its windows have nothing left to do. The database knows before they
    /// do, and thus before any job is acknowledged. The caller ends a connection that has established it meanwhile.
    func giveUp() async throws {
        if let ending = try await Self.ending(shard, in: graph) {
            try await graph.store([setting: ending], under: lease)
        }
        state.withLock { state in
            state.epoch = nil
            state.isGivenUp = true
            state.surrenders += 1
        }
    }

    /// Returns the value that binds the stored generation of `shard` to no run of Redis, under the name by which its
    /// keys are swept; nil if there is none to end.
    private static func ending(_ shard: ShardNumber, in graph: any GenerationStoring) async throws -> String? {
        guard let stored = try await stored(in: graph, shard), stored.runID != ended else { return nil }
        return "\(stored.keys.generation) \(ended)"
    }

    static func setting(of shard: ShardNumber) -> String { generationSetting + shard.suffix }
    /// The beginning of the names of the settings that hold generations.
    static let generationSetting = "window_generation"
    package static let shardsSetting = "window_shards"
    /// The beginnings of the names of the settings that bind a database to its windows.
    package static let settings = [generationSetting, "retired_window_generations", shardsSetting]

    /// Returns the number of shards over which the windows of the data directory are distributed.
    package static func storedShards(in graph: any GenerationStoring) async throws -> Int {
        try await graph.setting(shardsSetting).flatMap { Int($0) } ?? 1
    }

    /// Stores the number of shards. If it was another, the generations of all former shards end in the same step: their
    /// windows do not get what is pushed from now on.
    static func distribute(over shards: Int, in graph: any GenerationStoring, lease: LeaseStamp) async throws {
        let former = try await storedShards(in: graph)
        guard former != shards else { return }
        var settings = [shardsSetting: String(shards)]
        for shard in ShardNumber.all(of: former) {
            settings[setting(of: shard)] = try await ending(shard, in: graph)
        }
        try await graph.store(settings, under: lease)
    }
}

/// The store that preserves the generation over a restart: the data directory.
package protocol GenerationStoring: Sendable {
    func setting(_ name: String) async throws -> String?
    /// Stores values by their names, all or none, if `lease` is in force.
    func store(_ settings: [String: String], under lease: LeaseStamp) async throws
}

extension GraphStore: GenerationStoring {
    package func setting(_ name: String) async throws -> String? { try await settings.setting(name) }

    package func store(_ settings: [String: String], under lease: LeaseStamp) async throws {
        try await self.settings.store(settings, under: lease)
    }
}
