import Audit
import CommandSupport
import Database
import Moderation
import SocialGraph
import Timeline

/// Verifies many timelines, and repairs them.
struct TimelineVerification: Sendable {
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
    func verify(_ viewers: [UserID], _ stored: StoredTimelines?) async throws -> TimelineVerifier.Report {
        var findings = TimelineVerifier.Report()
        if let stored {
            findings = try await compare(viewers, stored)
        } else {
            findings.timelines = viewers.count
        }
        findings.pending = Int(try await graph.outbox.outboxDepth().pending)
        return findings
    }

    private func compare(_ viewers: [UserID], _ stored: StoredTimelines) async throws -> TimelineVerifier.Report {
        let verifier = TimelineVerifier(graph: graph, windows: stored.windows)
        var bar = ProgressBar(label: "verifying", unit: .timelines, total: viewers.count)
        defer { bar.finish() }
        return try await verifier.verifySlices(of: viewers) { bar.update(done: $0) }
    }

    /// Evicts the windows that differ, and verifies `viewers` again once the outbox has progressed that far. Nil if it
    /// has not.
    func repair(
        _ findings: TimelineVerifier.Report, _ viewers: [UserID], _ stored: StoredTimelines
    ) async throws -> TimelineVerifier.Report? {
        let drifted = findings.drifted
        let note = AuditNote(.timelinesRepaired, by: .machineUser, detail: "windows: \(drifted.count)")
        try await graph.audit.recording(note) { transaction in
            if drifted.isEmpty { return false }
            try OutboxStore.Writer(transaction).enqueue(.evict(viewers: drifted))
            return true
        }
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
