import Algorithms
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
    /// Windows for which a step counts that finds fewer.
    private static let leastWindows = 8

    let graph: GraphStore
    let connection: any WindowConnection
    let space: WindowSpace
    let idle: Duration
    let metrics: TimelineMetrics
    let logger: Logger
    /// Milliseconds from which on an entry counts as missing. A younger one may be on its way, and looking again and
    /// again would cost a busy server more than the rest of the audit. A later round finds what is missing for good.
    var leastAge: Int64 = 60_000
    /// The pause after ``windowsAtOnce``, or all of them.
    var pause = Duration.seconds(5)

    /// Runs the audits of the shards of a process in turn until the task is cancelled: the cost does not depend on the
    /// number of shards.
    static func run(_ audits: [WindowAudit]) async {
        // A process that often begins anew reaches all of them, too.
        let audits = audits.shuffled()
        while !Task.isCancelled, !audits.isEmpty {
            var left = 0
            for audit in audits { await audit.round(&left) }
        }
    }

    /// Verifies each window of the shard. There is a pause when no windows are `left`.
    private func round(_ left: inout Int) async {
        var cursor = "0"
        repeat {
            if left <= 0 {
                try? await Task.sleep(for: pause)
                left = Self.windowsAtOnce
            }
            guard !Task.isCancelled, let keys = space.keys else { return }
            do {
                let (next, windows) = try await audit(keys, from: cursor)
                cursor = next
                left -= max(windows, Self.leastWindows)
            } catch {
                return logger.debug("audit interrupted", metadata: ["error": "\(error)"])
            }
        } while cursor != "0"
    }

    /// Runs one step. Returns the cursor of the next one, and the number of windows found.
    func audit(_ keys: WindowKeys, from cursor: String) async throws -> (next: String, windows: Int) {
        let (next, names) = try await list(keys, from: cursor)
        guard !names.isEmpty else { return (next, 0) }
        try await endOrphans(names)
        let readers = names.compactMap { $0.split(separator: ":").last.flatMap { Int64($0) } }
            .map(UserID.init(rawValue:))
        // Readers of other shards are not listed here.
        let stores = ShardNumber.all(of: space.shard.count).map { shard in
            shard == space.shard ? WindowStores.Store(connection: connection, keys: keys) : nil
        }
        let verifier = TimelineVerifier(graph: graph, windows: WindowStores(stores), leastAge: leastAge)
        let report = try await verifier.verify(readers, patience: .seconds(5))
        metrics.audited.increment(by: report.windows)
        // If the generation has changed meanwhile, the verdict is void.
        guard !report.isClean, space.keys == keys else { return (next, names.count) }
        metrics.drifted.increment(by: report.drifted.count)
        logger.error(
            "windows have drifted and are repaired",
            metadata: [
                "users": "\(report.drifted.map(\.rawValue))", "missing": "\(report.missing)",
                "extra": "\(report.extra)", "misordered": "\(report.misordered)",
            ])
        try await verifier.repair(report.drifted)
        return (next, names.count)
    }

    /// The names of some windows. A cluster lists the keys of a slot at once; a scan would visit those of all buckets.
    private func list(_ keys: WindowKeys, from cursor: String) async throws -> (next: String, names: [String]) {
        if let bucket = keys.bucket {
            let names = try await connection.keys(in: bucket)
                .filter { $0 > cursor && $0.hasPrefix("h:") && $0.dropFirst(2).starts(with: keys.path + ":") }
                .min(count: Self.windowsAtOnce)
            return (names.count == Self.windowsAtOnce ? names.last ?? "0" : "0", names)
        }
        return try await connection.scan(keys.windowPattern, from: cursor, atOnce: Self.windowsAtOnce)
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
