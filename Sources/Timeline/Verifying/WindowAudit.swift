import CoreMetrics
import Database
import Logging
import RedisClient
import SocialGraph

/// Verifies windows continuously, a few at a time, in the order in which Redis lists them, so that every window is
/// reached. Drift is logged, counted and repaired. A window that would stay for ever, because it has no expiry or no
/// owner, is evicted as well.
struct WindowAudit: Sendable {
    /// Windows verified in one step.
    static let windowsAtOnce = 64
    /// The pause between two steps.
    static let pause = Duration.seconds(5)

    let graph: GraphStore
    let connection: any WindowConnection
    let space: WindowSpace
    let idle: Duration
    let metrics: TimelineMetrics
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        var cursor = "0"
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            guard !Task.isCancelled, let keys = space.keys else { continue }
            do {
                cursor = try await audit(keys, from: cursor)
            } catch {
                cursor = "0"
                logger.debug("audit interrupted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Runs one step. Returns the cursor of the next one.
    func audit(_ keys: WindowKeys, from cursor: String) async throws -> String {
        let scan = RedisCommand(
            "SCAN", [cursor, "MATCH", keys.windowPattern, "COUNT", String(Self.windowsAtOnce)])
        let (next, names) = try await connection.send(scan, timeout: nil) { reply in
            let found = try reply[1]
            return (try reply[0].text, try (0..<found.count).map { try found[$0].text })
        }
        guard !names.isEmpty else { return next }
        try await endOrphans(names)
        let readers = names.compactMap { $0.split(separator: ":").last.flatMap { Int64($0) } }
            .map(UserID.init(rawValue:))
        // Readers of other shards are not listed here.
        let stores = ShardNumber.all(of: space.shard.count).map { shard in
            shard == space.shard ? WindowStores.Store(connection: connection, keys: keys) : nil
        }
        let verifier = TimelineVerifier(graph: graph, windows: WindowStores(stores))
        let report = try await verifier.verify(readers, patience: .seconds(5))
        metrics.audited.increment(by: report.windows)
        // If the generation has changed meanwhile, the verdict is void.
        guard !report.isClean, space.keys == keys else { return next }
        metrics.drifted.increment(by: report.drifted.count)
        logger.error(
            "windows have drifted and are repaired",
            metadata: [
                "users": "\(report.drifted.map(\.rawValue))", "missing": "\(report.missing)",
                "extra": "\(report.extra)", "misordered": "\(report.misordered)",
            ])
        try await verifier.repair(report.drifted)
        return next
    }

    private func endOrphans(_ names: [String]) async throws {
        let keys = names + names.map { "t" + $0.dropFirst() }
        let commands = keys.map { RedisCommand("TTL", [$0]) }
        let lifetimes = try await connection.send(commands, timeout: nil) { replies in
            try (0..<replies.count).map { try replies[$0].integer }
        }
        let orphans = zip(keys, lifetimes).filter { $0.1 == -1 }.map(\.0)
        guard !orphans.isEmpty else { return }
        metrics.orphaned.increment(by: orphans.count)
        let seconds = String(max(idle.components.seconds, 1))
        let expiries = orphans.map { RedisCommand("EXPIRE", [$0, seconds]) }
        try await connection.send(expiries, timeout: nil) { try $0.throwIfAnyError() }
    }
}
