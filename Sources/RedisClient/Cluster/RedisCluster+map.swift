import Logging
import Synchronization

extension RedisCluster {
    /// Largest number of nodes that are asked for a map at a time.
    private static let candidates = 16

    /// Asks for a map that is newer than the present one.
    package func refresh() async { await refresh(replacing: shared.withLock(\.version)) }

    /// Returns once a map newer than `version` is there, or an attempt to get one has failed. One request serves all
    /// who wait; between requests in close succession there is a pause, in which this returns at once.
    func refresh(replacing version: Int) async {
        let flight: Task<Void, Never>? = shared.withLock { shared in
            guard !shared.isClosed, shared.version == version else { return nil }
            if let flight = shared.flight { return flight }
            guard shared.nextRefresh <= .now else { return nil }
            let flight = Task { await self.fetchMap() }
            shared.flight = flight
            return flight
        }
        await flight?.value
    }

    private func fetchMap() async {
        let (masters, epoch) = shared.withLock { ($0.map?.masters ?? [], $0.map?.epoch ?? 0) }
        var asked = Set<Endpoint>()
        let candidates = (configuration.seeds + masters.shuffled()).filter { asked.insert($0).inserted }
        let answer = await newestMap(from: candidates, atLeast: epoch)
        let removed = shared.withLock { shared in
            shared.flight = nil
            // A pause that was long enough makes the next request one without predecessors.
            let isCalm = shared.nextRefresh + configuration.node.backoff.maximum < .now
            shared.refreshes = isCalm ? 0 : shared.refreshes + 1
            shared.nextRefresh = .now + configuration.node.backoff.delay(attempt: shared.refreshes)
            guard case .success(let map) = answer, !shared.isClosed else { return [Master]() }
            shared.map = map
            shared.version += 1
            let kept = Set(map.masters)
            let removed = shared.masters.values.filter { !kept.contains($0.endpoint) }
            for master in removed { shared.masters[master.endpoint] = nil }
            return removed
        }
        for master in removed { master.close() }
        if case .failure(let error) = answer {
            logger.warning(
                "no node of the cluster has told a slot map",
                metadata: ["redis.cluster": "\(configuration)", "redis.reason": "\(error.code): \(error.message)"])
        }
    }

    /// The first map of a healthy node that is not older than the known one; else the newest that anybody has.
    private func newestMap(from nodes: [Endpoint], atLeast epoch: UInt64) async -> Result<RedisSlotMap, RedisError> {
        var best: RedisSlotMap?
        var failure = RedisError.unavailable
        var rest = nodes[...]
        while !rest.isEmpty, best == nil {
            let portion = rest.prefix(Self.candidates)
            rest = rest.dropFirst(Self.candidates)
            await withTaskGroup(of: Result<RedisSlotMap, RedisError>.self) { group in
                for node in portion { group.addTask { await self.askForMap(node) } }
                for await answer in group {
                    switch answer {
                    case .failure(let error): failure = error
                    case .success(let map):
                        if let found = best, found.isHealthy || !map.isHealthy, found.epoch >= map.epoch { continue }
                        best = map
                        if map.isHealthy, map.epoch >= epoch { return group.cancelAll() }
                    }
                }
            }
        }
        guard let best, best.isHealthy || best.epoch >= epoch else { return .failure(failure) }
        return .success(best)
    }

    private func askForMap(_ endpoint: Endpoint) async -> Result<RedisSlotMap, RedisError> {
        var configuration = configuration.node(at: endpoint)
        configuration.commandTimeout = configuration.connectTimeout
        // Replicas have maps, too.
        configuration.confirmsHistory = false
        // A node that does not answer must not hold up the answer of another.
        configuration.drainTimeout = .zero
        do {
            return .success(
                try await RedisProbe.ask(configuration, RedisSlotMap.questions) { replies in
                    try replies.throwIfAnyError()
                    return try RedisSlotMap(replies, from: endpoint)
                })
        } catch {
            return .failure(error as? RedisError ?? .unavailable)
        }
    }
}
