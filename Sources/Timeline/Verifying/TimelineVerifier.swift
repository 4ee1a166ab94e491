import Algorithms
import Database
import RedisClient
import SocialGraph

/// Recomputes home timelines from SQLite by their plain definition and compares them with the windows in Redis. It is
/// read-only: a repair is an eviction job that it puts into the outbox. It runs beside a serving process, so it checks
/// differences again until no job is left that could explain them.
package struct TimelineVerifier: Sendable {
    package struct Report: Sendable, Equatable {
        /// The number of home timelines checked. Those without a window are answered from the truth itself.
        package var timelines = 0
        package var windows = 0
        package var entries = 0
        package var missing = 0
        package var extra = 0
        package var misordered = 0
        /// Jobs still in the outbox at the end. Their outstanding deliveries are not drift.
        package var pending = 0
        package var drifted: [UserID] = []

        package var isClean: Bool { missing == 0 && extra == 0 && misordered == 0 }

        package init() {}

        /// Adds the findings in other timelines. `pending` is of the later report.
        package mutating func add(_ later: Report) {
            timelines += later.timelines
            windows += later.windows
            entries += later.entries
            missing += later.missing
            extra += later.extra
            misordered += later.misordered
            pending = later.pending
            drifted += later.drifted
        }
    }

    private let graph: GraphStore
    private let windows: WindowStores
    private let leastAge: Int64

    /// - Parameter leastAge: the milliseconds from which on an entry counts as missing.
    package init(graph: GraphStore, windows: WindowStores, leastAge: Int64 = 0) {
        self.graph = graph
        self.windows = windows
        self.leastAge = leastAge
    }

    /// Verifies the windows of the only shard.
    ///
    /// - Parameter keys: The keys of the current generation; nil if there has never been one.
    package init(graph: GraphStore, connection: any RedisSending, keys: WindowKeys?) {
        self.init(graph: graph, windows: WindowStores(connection: connection, keys: keys))
    }

    /// Verifies the windows of `viewers`. Differences are checked again while the outbox holds jobs from that time, for
    /// at most `patience`.
    package func verify(
        _ viewers: [UserID], patience: Duration = .seconds(30), progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Report {
        var report = Report()
        for part in viewers.chunks(ofCount: 256) {
            var verdicts = try await judge(Array(part))
            let suspects = verdicts.values.filter { !$0.isClean }.map(\.viewer)
            if !suspects.isEmpty {
                verdicts.merge(try await judgeAgain(suspects, patience)) { _, later in later }
            }
            report.timelines += part.count
            for verdict in verdicts.values { report.add(verdict) }
            progress(report.timelines)
        }
        report.pending = Int(try await graph.outbox.outboxDepth().pending)
        return report
    }

    /// Repairs the windows of `viewers`: they are evicted, and rebuilt at the next read.
    package func repair(_ viewers: [UserID]) async throws {
        guard !viewers.isEmpty else { return }
        try await graph.outbox.enqueueDrop(of: viewers)
    }

    private func judgeAgain(_ suspects: [UserID], _ patience: Duration) async throws -> [UserID: WindowVerdict] {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        var verdicts: [UserID: WindowVerdict] = [:]
        var open = suspects
        var pause = Duration.milliseconds(100)
        while true {
            let before = try await graph.outbox.outboxDepth().pending
            let again = try await judge(open)
            verdicts.merge(again) { _, later in later }
            open = again.values.filter { !$0.isClean }.map(\.viewer)
            if open.isEmpty || before == 0 || clock.now >= deadline { break }
            // Under load, windows agree only once their posts are delivered.
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(1))
        }
        for viewer in open { verdicts[viewer] = try await confirmed(verdicts[viewer]) }
        return verdicts
    }

    /// Confirms a verdict by reading the window once more. A window is read before the truth, so a post published in
    /// between appears to be missing, and its job may have finished since. Only those differences remain that existed
    /// before the second read, with no job that could change them.
    private func confirmed(_ verdict: WindowVerdict?) async throws -> WindowVerdict? {
        guard let verdict, !verdict.isClean else { return verdict }
        let before = try await pendingWork(verdict)
        guard let again = try await judge([verdict.viewer])[verdict.viewer] else { return nil }
        let after = try await pendingWork(verdict)
        if before.touchesViewer || after.touchesViewer { return WindowVerdict(viewer: verdict.viewer) }
        return again.confirming(verdict, leavingOut: before.posts.union(after.posts))
    }

    private func pendingWork(_ verdict: WindowVerdict) async throws -> PendingWork {
        try await graph.outbox.pendingWork(
            for: verdict.viewer, posts: verdict.missing + verdict.extra + verdict.misplaced)
    }

    private func judge(_ viewers: [UserID]) async throws -> [UserID: WindowVerdict] {
        var verdicts: [UserID: WindowVerdict] = [:]
        let latest = leastAge == 0 ? Int64.max : SystemClock.milliseconds() - leastAge
        let stored = try await windows.windows(of: viewers)
        for (viewer, window) in zip(viewers, stored) {
            guard let window else { continue }
            let expected = try await graph.feeds.windowByDefinition(
                of: viewer, from: window.floor, holding: window.entries)
            verdicts[viewer] = WindowVerdict(viewer: viewer, stored: window, expected: expected, latest: latest)
        }
        return verdicts
    }
}

extension TimelineVerifier.Report {
    fileprivate mutating func add(_ verdict: WindowVerdict) {
        windows += 1
        entries += verdict.entries
        missing += verdict.missing.count
        extra += verdict.extra.count
        misordered += verdict.misordered + verdict.misplaced.count
        if !verdict.isClean { drifted.append(verdict.viewer) }
    }
}
