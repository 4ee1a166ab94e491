import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization

/// Which windows can be trusted: the generation, bound to one run of one Redis, and the fence of this connection.
///
/// A new run of Redis (a restart, an old snapshot, a fail-over) or a lost state key means a new generation, hence no
/// windows. A mere reconnect means a new fence: commands of the old connection that still wait in a socket are refused.
package final class WindowSpace: Sendable {
    /// What a command must be composed with.
    struct Epoch: Sendable, Equatable {
        let keys: WindowKeys
        let fence: String
        let scripts: ScriptDigests
    }

    private struct State {
        var epoch: Epoch?
        var generation: WindowKeys?
        var runID: String?
        var fences = 0
    }

    private static let setting = "window_generation"
    private static let retired = "retired_window_generations"
    private let state = Mutex(State())
    private let graph: any GenerationStoring
    private let incarnation: Int64
    /// Whether windows may be changed at the moment: only while the lease is held.
    let mayWrite: @Sendable () -> Bool
    private let logger: Logger

    package init(
        graph: any GenerationStoring, incarnation: Int64, mayWrite: @escaping @Sendable () -> Bool = { true },
        logger: Logger
    ) {
        self.graph = graph
        self.incarnation = incarnation
        self.mayWrite = mayWrite
        self.logger = logger
    }

    /// Nil while no generation is established.
    var epoch: Epoch? { state.withLock { $0.epoch } }

    /// The keys that may be read, without the right to write.
    package var keys: WindowKeys? { state.withLock { $0.epoch?.keys } }

    func suspend() { state.withLock { $0.epoch = nil } }

    /// Establishes generation and fence over a new connection of the writer; nothing else is sent before it has ended.
    package func establish(over connection: some RedisSending, runID: String) async throws {
        suspend()
        let fence = state.withLock { state in
            state.fences += 1
            return "\(incarnation).\(state.fences)"
        }
        var generation = try await trustedGeneration(runID, connection)
        if let trusted = generation, try await !setFence(fence, trusted, isNew: false, over: connection) {
            generation = nil
        }
        let keys = generation ?? WindowKeys(generation: Self.freshGeneration())
        if generation == nil {
            try await adopt(keys, runID: runID)
            _ = try await setFence(fence, keys, isNew: true, over: connection)
        }
        let scripts = try await ScriptDigests.load(over: connection)
        state.withLock { state in
            state.generation = keys
            state.runID = runID
            state.epoch = Epoch(keys: keys, fence: fence, scripts: scripts)
        }
        logger.info(
            "windows established",
            metadata: ["generation": "\(keys.generation)", "new": "\(generation == nil)", "fence": "\(fence)"])
    }

    /// A reader's connection is of use only if it leads to the run that the generation belongs to.
    /// The writer's connection, made at the same time, is given a moment to establish that.
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

    /// The stored generation, if it belongs to this run of Redis and its state is still there.
    private func trustedGeneration(_ runID: String, _ connection: some RedisSending) async throws -> WindowKeys? {
        guard let stored = try await Self.stored(in: graph), stored.runID == runID else { return nil }
        var command = RedisCommand("HEXISTS")
        stored.keys.appendState(to: &command)
        command.append("floor")
        let exists = try await connection.send(command, timeout: nil) { try $0.integer }
        return exists == 1 ? stored.keys : nil
    }

    /// The generation in the data directory, for processes that only look on.
    package static func stored(in graph: any GenerationStoring) async throws -> (keys: WindowKeys, runID: String)? {
        guard let value = try await graph.setting(setting) else { return nil }
        let parts = value.split(separator: " ")
        guard parts.count == 2 else { throw DatabaseError.undecodable(WindowKeys.self, value) }
        return (WindowKeys(generation: String(parts[0])), String(parts[1]))
    }

    /// Stores the new generation before anything carries its name. An incarnation that has lost its lease may not.
    private func adopt(_ keys: WindowKeys, runID: String) async throws {
        var settings = [Self.setting: "\(keys.generation) \(runID)"]
        if let old = try await Self.stored(in: graph) {
            let earlier = try await graph.setting(Self.retired) ?? ""
            settings[Self.retired] = earlier + " " + old.keys.generation
        }
        try await graph.store(settings, incarnation: incarnation)
    }

    /// Replaces the fence of earlier incarnations. Returns false where that of a later one stands: then this one has
    /// lost its lease, or the database is a copy from before that later one, of which nothing is known here.
    private func setFence(
        _ fence: String, _ keys: WindowKeys, isNew: Bool, over connection: some RedisSending
    ) async throws -> Bool {
        var command = RedisCommand("EVAL")
        command.append(Self.fenceScript)
        command.append("1")
        keys.appendState(to: &command)
        command.append(fence)
        command.append(integer: incarnation)
        command.append(isNew ? "1" : "0")
        return try await connection.send(command, timeout: nil) { try $0.integer } == 1
    }

    private static let fenceScript = """
        local former = redis.call('HGET', KEYS[1], 'fence')
        local incarnation = former and tonumber(string.match(former, '^(%d+)[.]'))
        if incarnation and incarnation > tonumber(ARGV[2]) then return 0 end
        redis.call('HSET', KEYS[1], 'fence', ARGV[1])
        if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'floor', '0') end
        return 1
        """

    /// Six characters, so that keys are of one length in every run.
    private static func freshGeneration() -> String {
        String(UInt32.random(in: 60_466_176..<2_176_782_336), radix: 36)
    }

    /// Generations whose keys may still lie about in an outside Redis.
    package func retiredGenerations() async throws -> [WindowKeys] {
        try await graph.setting(Self.retired)?.split(separator: " ").map { WindowKeys(generation: String($0)) } ?? []
    }

    package func forgetRetiredGenerations() async throws {
        try await graph.store([Self.retired: ""], incarnation: incarnation)
    }
}

/// Where the generation survives a restart: the data directory.
package protocol GenerationStoring: Sendable {
    func setting(_ name: String) async throws -> String?
    /// Stores values by their names, all or none, if `incarnation` holds the lease.
    func store(_ settings: [String: String], incarnation: Int64) async throws
}

extension GraphStore: GenerationStoring {
    package func setting(_ name: String) async throws -> String? {
        try await settings.setting(name)
    }

    package func store(_ settings: [String: String], incarnation: Int64) async throws {
        try await outbox.store(settings, incarnation: incarnation)
    }
}
