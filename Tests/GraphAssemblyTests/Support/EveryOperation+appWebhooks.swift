@testable import Push
@testable import SocialGraph
import Database

extension EveryOperation {
    /// Webhooks of the app, their events and their dead letters.
    static func appWebhooks(on graph: GraphStore) async throws {
        let (webhooks, admin) = (graph.appWebhooks, UserID(rawValue: 1))
        let first = try await webhooks.add(
            "https://a.example/", kinds: Set(AppEventKind.allCases), secret: [1], by: admin)
        _ = try await webhooks.webhooks()
        var change = AppWebhookChange()
        change.url = "https://b.example/"
        _ = try await webhooks.change(first.id, change, by: admin)
        _ = try await webhooks.replay(first.id, after: 0, by: admin)
        let outcomes: [AppWebhookOutcome] = [
            .retry(at: 0, status: 500, failure: "f"), .accepted, .failed(status: nil, failure: "f"),
            .failed(status: nil, failure: "f"), .gone,
        ]
        for outcome in outcomes {
            guard let work = try await webhooks.work(for: first.id, at: .max, limit: 5),
                let event = work.events.first
            else { continue }
            _ = try await webhooks.acknowledge(event, to: work.webhook, outcome)
        }
        change.isPaused = false
        _ = try await webhooks.change(first.id, change, by: admin)
        for letter in try await webhooks.letters(of: first.id, below: nil, limit: 5)?.items ?? [] {
            _ = try await webhooks.retry(letter.id, of: first.id, by: admin)
            for outcome in outcomes {
                guard let webhook = try await webhooks.webhooks().first else { continue }
                try await webhooks.acknowledge(letter, to: webhook, outcome)
            }
        }
        _ = try await webhooks.report(1)
        _ = try await webhooks.prune(limit: 5)
        _ = try await webhooks.remove(first.id, by: admin)
    }
}
