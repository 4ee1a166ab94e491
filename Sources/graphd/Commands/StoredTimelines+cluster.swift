import CommandSupport
import Logging
import RedisClient
import SocialGraph
import Timeline

extension StoredTimelines {
    /// Runs `body` with the windows of a cluster, or with nil if none of its nodes answers.
    static func open<T: Sendable>(
        graph: GraphStore, cluster configuration: RedisClusterConfiguration,
        _ body: @escaping @Sendable (StoredTimelines?) async throws -> T
    ) async throws -> T {
        let quiet = Logger(label: "graphd", factory: { _ in SwiftLogNoOpLogHandler() })
        let cluster = try RedisCluster(configuration: configuration, name: "timelines", logger: quiet)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await cluster.run() }
            defer { cluster.close() }
            await cluster.refresh()
            for master in cluster.masters { _ = await master.writing.isUp(within: patience) }
            let stores = try await stores(of: cluster, graph)
            let unreached = stores.count { $0 == nil }
            if unreached > 0 {
                StandardError.print(
                    "\(unreached) of \(stores.count) buckets of windows have no master that answers in the cluster at "
                        + "\(configuration). Timelines in them are answered from the database.")
            }
            guard unreached < stores.count else { return try await body(nil) }
            return try await body(StoredTimelines(windows: WindowStores(stores)))
        }
    }

    /// Returns the windows of each bucket; nil for one without a master.
    private static func stores(
        of cluster: RedisCluster, _ graph: GraphStore
    ) async throws -> [WindowStores.Store?] {
        var stores: [WindowStores.Store?] = []
        for number in ShardNumber.all(of: RedisBucket.count) {
            guard let session = cluster.master(of: RedisBucket(number.index))?.writing.present else {
                stores.append(nil)
                continue
            }
            let stored = try await WindowSpace.stored(in: graph, number)
            let isSameRun = stored?.runID == session.runID
            stores.append(WindowStores.Store(connection: session, keys: isSameRun ? stored?.keys : nil))
        }
        return stores
    }
}
