import Logging
import Synchronization

/// The masters of a Redis Cluster: a slot map, and two connections to each master, opened when they are first needed.
///
/// A connection belongs to one history of its master's data (``RedisConfiguration/confirmsHistory``). Redirections are
/// not followed: a refused command has not been executed, and its caller asks again for the master of the bucket.
package final class RedisCluster: Sendable {
    typealias Endpoint = RedisConfiguration.Endpoint

    /// The connections to one master.
    package final class Master: Sendable {
        package let endpoint: RedisConfiguration.Endpoint
        package let writing: RedisConnection
        /// The connection that ``writing`` gives way to.
        package let reading: RedisConnection

        init(
            _ configuration: RedisConfiguration, name: String, logger: Logger,
            onHandshake: @escaping @Sendable (RedisHandshake) async throws -> Void
        ) throws {
            endpoint = configuration.endpoint
            var quick = configuration
            quick.commandTimeout = min(configuration.commandTimeout, configuration.readTimeout)
            reading = try RedisConnection(configuration: quick, name: "reads " + name, logger: logger)
            writing = try RedisConnection(
                configuration: configuration, name: name, givingWayTo: reading, logger: logger,
                onHandshake: onHandshake)
        }

        func close() {
            writing.close()
            reading.close()
        }
    }

    struct Shared {
        var map: RedisSlotMap?
        /// Counts the maps; 0 while there is none.
        var version = 0
        var masters: [Endpoint: Master] = [:]
        /// The only request for a new map, while it is under way.
        var flight: Task<Void, Never>?
        /// No request for a map begins earlier.
        var nextRefresh = ContinuousClock.now
        /// Requests for a map that were made in close succession.
        var refreshes = 0
        var isClosed = false
    }

    let configuration: RedisClusterConfiguration
    let name: String
    let logger: Logger
    private let onHandshake: @Sendable (RedisHandshake) async throws -> Void
    let shared = Mutex(Shared())
    /// Masters for ``run()`` to serve.
    private let started = AsyncStream<Master>.makeStream()

    /// - Parameters:
    ///   - name: for the log and the threads.
    ///   - onHandshake: prepares every new writing connection, for instance loads scripts; see ``RedisConnection``.
    package init(
        configuration: RedisClusterConfiguration, name: String, logger: Logger,
        onHandshake: @escaping @Sendable (RedisHandshake) async throws -> Void = { _ in }
    ) throws {
        for seed in configuration.seeds { try configuration.node(at: seed).validate() }
        self.configuration = configuration
        self.name = name
        self.logger = logger
        self.onHandshake = onHandshake
    }

    /// Serves the connections until the task is cancelled or ``close()`` is called. Call it once.
    package func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await master in started.stream {
                    group.addTask { await master.writing.run() }
                    group.addTask { await master.reading.run() }
                }
            }
        } onCancel: {
            close()
        }
    }

    /// Has each master whose reading connection is down confirm the history of the writing one, each second until the
    /// task is cancelled. Open and idle, that would not show that the node has become a replica. If the history is not
    /// confirmed, the session ends.
    package func confirmUnreadMasters() async {
        while !Task.isCancelled {
            await withDiscardingTaskGroup { group in
                for master in masters where master.reading.state == .down {
                    guard let session = master.writing.present else { continue }
                    group.addTask { _ = try? await session.send(RedisCommand("PING")) { _ in } }
                }
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Refuses further commands, waits for replies in flight as ``RedisConnection/close()`` does, and makes ``run()``
    /// return. Returns at once.
    package func close() {
        let (masters, flight) = shared.withLock { shared in
            defer { shared.masters = [:] }
            shared.isClosed = true
            return (Array(shared.masters.values), shared.flight)
        }
        flight?.cancel()
        for master in masters { master.close() }
        started.continuation.finish()
    }

    /// Masters in the slot map; empty while there is none.
    package var masters: [Master] {
        shared.withLock { shared in shared.map?.masters ?? [] }.compactMap { master(at: $0) }
    }

    /// The master that serves the bucket, according to the slot map; nil while it names none.
    package func master(of bucket: RedisBucket) -> Master? {
        shared.withLock { $0.map?[bucket.slot] }.flatMap { master(at: $0) }
    }

    /// The master at an address of the slot map, with new connections if there are none yet. Nil if the client is
    /// closed, or the address is no longer in the map.
    private func master(at endpoint: Endpoint) -> Master? {
        let (master, isNew): (Master?, Bool) = shared.withLock { shared in
            if let master = shared.masters[endpoint] { return (master, false) }
            guard !shared.isClosed, shared.map?.masters.contains(endpoint) == true else { return (nil, false) }
            // The addresses in a map are valid, and so are the limits, since the seeds are.
            let master = try? Master(
                configuration.node(at: endpoint), name: "\(name) \(endpoint.authority)", logger: logger,
                onHandshake: onHandshake)
            shared.masters[endpoint] = master
            return (master, master != nil)
        }
        if isNew, let master { started.continuation.yield(master) }
        return master
    }
}
