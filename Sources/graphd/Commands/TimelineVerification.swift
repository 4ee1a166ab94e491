import Algorithms
import CommandSupport
import Moderation
import SocialGraph
import Timeline

/// Verifies many timelines, a few slices at a time.
struct TimelineVerification: Sendable {
    /// Timelines in one slice, and concurrent slices: as many as there are SQLite readers.
    static let part = 512
    static let concurrency = 4
    /// Longest wait for a server to finish a repair.
    static let repairTime = Duration.seconds(60)

    let graph: GraphStore

    /// Returns all accounts, or `sample` of them at random.
    func viewers(sample: Int?) async throws -> [UserID] {
        var viewers: [UserID] = []
        while true {
            let page = try await graph.accounts.accountIDs(above: viewers.last, limit: 10_000)
            if page.isEmpty { break }
            viewers += page
        }
        guard let sample, sample < viewers.count else { return viewers }
        return viewers.shuffled().prefix(sample).sorted()
    }

    /// Verifies timelines. `stored` is nil if there is no Redis, hence no window.
    func verify(_ viewers: [UserID], _ stored: StoredTimelines?) async throws -> TimelineFindings {
        var findings = TimelineFindings()
        if let stored {
            findings = try await compare(viewers, stored)
        } else {
            findings.timelines = viewers.count
        }
        findings.pending = Int(try await graph.outbox.outboxDepth().pending)
        return findings
    }

    private func compare(_ viewers: [UserID], _ stored: StoredTimelines) async throws -> TimelineFindings {
        let verifier = TimelineVerifier(graph: graph, connection: stored.connection, keys: stored.keys)
        var bar = ProgressBar(label: "verifying", unit: .timelines, total: viewers.count)
        defer { bar.finish() }
        var findings = TimelineFindings()
        try await withThrowingTaskGroup(of: TimelineVerifier.Report.self) { group in
            var rest = viewers.chunks(ofCount: Self.part)[...]
            for part in rest.prefix(Self.concurrency) {
                group.addTask { try await verifier.verify(Array(part)) }
            }
            rest = rest.dropFirst(Self.concurrency)
            while let done = try await group.next() {
                findings.add(done)
                bar.update(done: findings.timelines)
                if let part = rest.popFirst() { group.addTask { try await verifier.verify(Array(part)) } }
            }
        }
        return findings
    }

    /// Evicts the windows that differ, and verifies `viewers` again once the outbox has progressed that far. Nil if it
    /// has not.
    func repair(
        _ findings: TimelineFindings, _ viewers: [UserID], _ stored: StoredTimelines
    ) async throws -> TimelineFindings? {
        let verifier = TimelineVerifier(graph: graph, connection: stored.connection, keys: stored.keys)
        try await verifier.repair(findings.drifted)
        guard try await isOutboxEmpty() else {
            StandardError.print(
                "The repair is waiting in the outbox. It takes effect when a server runs.")
            return nil
        }
        return try await verify(viewers, stored)
    }

    private func isOutboxEmpty() async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.repairTime
        while try await graph.outbox.outboxDepth().pending > 0 {
            guard clock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(100))
        }
        return true
    }
}

/// The findings in many timelines.
struct TimelineFindings: Sendable, Equatable {
    var timelines = 0
    var windows = 0
    var entries = 0
    var missing = 0
    var extra = 0
    var misordered = 0
    /// Jobs in the outbox at the end.
    var pending = 0
    var drifted: [UserID] = []

    var isClean: Bool { missing == 0 && extra == 0 && misordered == 0 }

    /// Adds the findings in a slice of them.
    mutating func add(_ part: TimelineVerifier.Report) {
        timelines += part.timelines
        windows += part.windows
        entries += part.entries
        missing += part.missing
        extra += part.extra
        misordered += part.misordered
        drifted += part.drifted
    }
}
