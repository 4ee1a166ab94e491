import Logging
import RedisClient
import Timeline

/// A Redis Cluster: that every bucket of windows has a master, and the settings of each master.
struct RedisClusterCheck: Equatable {
    /// The seeds, separated by commas, without a password.
    let address: String
    /// Number of masters in the slot map; 0 if no node has told one.
    let masters: Int
    /// Number of buckets without a master.
    let uncovered: Int

    var findings: [Finding] {
        if masters == 0 {
            return [
                Finding(
                    .redis, .failure, "No node of the Redis Cluster at \(address) has told a slot map.",
                    remedy: "Start its nodes, or correct --redis. Until then timelines come from the database, more "
                        + "slowly.")
            ]
        }
        guard uncovered > 0 else { return [] }
        return [
            Finding(
                .redis, .warning,
                "\(uncovered) of \(RedisBucket.count) buckets of windows have no master in the Redis Cluster at "
                    + "\(address).",
                remedy: "Look at its nodes: redis-cli --cluster check \(address.prefix { $0 != "," })")
        ]
    }

    /// Asks the cluster, and each of its masters.
    static func findings(_ configuration: RedisClusterConfiguration, depth: WindowDepth) async -> [Finding] {
        let quiet = Logger(label: "graphd", factory: { _ in SwiftLogNoOpLogHandler() })
        guard let cluster = try? RedisCluster(configuration: configuration, name: "doctor", logger: quiet) else {
            return []
        }
        await cluster.refresh()
        let masters = cluster.masters
        defer { cluster.close() }
        let uncovered = RedisBucket.all.count { cluster.master(of: $0) == nil }
        let seeds = configuration.seeds.map(\.authority).joined(separator: ",")
        var findings = RedisClusterCheck(address: seeds, masters: masters.count, uncovered: uncovered).findings
        for master in masters {
            let node = configuration.node(at: master.endpoint)
            findings += await RedisCheck(node, isPrivate: false, depth: depth).findings
        }
        return findings
    }
}
