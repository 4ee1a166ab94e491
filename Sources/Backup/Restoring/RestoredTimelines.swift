import Algorithms
import CommandSupport
import Database
import Foundation
import Logging
import RedisClient
import SocialGraph
import Timeline

/// Builds the window of every home timeline in a private Redis, as a server would, and compares each with its plain
/// definition. The windows are gone afterwards: a server builds its own.
struct RestoredTimelines: Sendable {
    /// Timelines whose windows exist at the same time, which bounds the memory of Redis, and those of one job.
    private static let windowsAtOnce = 20_000
    private static let jobSize = 2_000

    let graph: GraphStore
    private let logger = Logger.silent

    init(graph: GraphStore) { self.graph = graph }

    /// - Throws: `RedisError` if Redis cannot be started.
    func verify() async throws -> TimelineVerifier.Report {
        // Not in the restored directory, whose path may be too long for a socket.
        let directory = NSTemporaryDirectory() + "graphd-restore-\(UInt32.random(in: .min ... .max))"
        try FileTransfer.makeDirectory(directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let depth = try await depth()
        let redis = try PrivateRedis(
            dataDirectory: directory, options: .init(maxListpackEntries: depth.listpackEntries), logger: logger)
        return try await withThrowingTaskGroup(of: TimelineVerifier.Report?.self) { group in
            group.addTask {
                try await redis.run()
                return nil
            }
            group.addTask {
                // A busy machine takes its time to start a program, and the result of the restore is at stake.
                try await redis.waitUntilReady(within: .seconds(60))
                return try await verify(in: redis.configuration, depth)
            }
            defer { group.cancelAll() }
            // Redis ends only if it is cancelled, so the report comes first.
            while let report = try await group.next() { if let report { return report } }
            throw CommandFailure("The timelines were not verified.")
        }
    }

    /// Returns the depth that the serving process has stored.
    private func depth() async throws -> WindowDepth {
        let cap = try await graph.settings.number("window_cap").map { Int($0) }
        return cap.map { WindowDepth(cap: $0) } ?? WindowDepth()
    }

    private func verify(in redis: RedisConfiguration, _ depth: WindowDepth) async throws -> TimelineVerifier.Report {
        var patient = redis
        // A window can be requested while Redis is busy with bulk pushes.
        patient.commandTimeout = .seconds(30)
        let service = try await TimelineService(
            graph: graph, formerOwner: .isDead, redis: .servers([patient]), depth: depth,
            options: TimelineOptions(isAudited: false), logger: logger, encoding: .none)
        let connection = try RedisConnection(configuration: patient, name: "verification", logger: logger)
        return try await withThrowingTaskGroup(of: TimelineVerifier.Report?.self) { group in
            group.addTask {
                try await service.run()
                return nil
            }
            group.addTask {
                await connection.run()
                return nil
            }
            group.addTask { try await buildAndVerify(over: connection) }
            defer {
                connection.close()
                group.cancelAll()
            }
            while let report = try await group.next() { if let report { return report } }
            throw CommandFailure("The timelines were not verified.")
        }
    }

    private func buildAndVerify(over connection: RedisConnection) async throws -> TimelineVerifier.Report {
        try await connection.waitUntilUp()
        // Jobs of the original come first: they are part of what is verified.
        try await waitForOutbox()
        var report = TimelineVerifier.Report()
        var bar = ProgressBar(label: "verifying", unit: .timelines, total: nil)
        defer { bar.finish() }
        var last: UserID?
        while true {
            let viewers = try await graph.accounts.accountIDs(above: last, limit: Self.windowsAtOnce)
            guard let end = viewers.last else { break }
            for part in viewers.chunks(ofCount: Self.jobSize) {
                try await graph.outbox.enqueueBuild(of: Array(part))
            }
            try await waitForOutbox()
            let keys = try await WindowSpace.stored(in: graph)?.keys
            let verifier = TimelineVerifier(graph: graph, connection: connection, keys: keys)
            try await report.add(verifier.verifySlices(of: viewers))
            bar.update(done: report.timelines)
            for part in viewers.chunks(ofCount: Self.jobSize) { try await graph.outbox.enqueueDrop(of: Array(part)) }
            last = end
        }
        try await waitForOutbox()
        return report
    }

    private func waitForOutbox() async throws {
        while try await graph.outbox.outboxDepth().pending > 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
}

extension Logger {
    /// The logger of work whose outcome the command tells itself.
    static let silent = Logger(label: "graphd", factory: { _ in SwiftLogNoOpLogHandler() })
}
