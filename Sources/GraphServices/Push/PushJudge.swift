import Push
import SocialGraph
import Timeline

/// Decides whether a push is sent to a user now. It is asked when the push is due, and again before each attempt, so
/// that a subject that was read, withdrawn, hidden or opted out of meanwhile is not sent.
struct PushJudge: Sendable {
    enum Verdict: Sendable {
        case tell(PushSubject)
        /// In milliseconds since 1970.
        case wait(until: Int64)
        case drop
    }

    private let graph: GraphStore
    private let subjects: PushSubjectReader
    private let suggestions: PushSuggestions
    /// Milliseconds since 1970.
    private let now: @Sendable () -> Int64

    init(
        graph: GraphStore, timelines: Timelines, suggestions: PushSuggestions, now: @escaping @Sendable () -> Int64
    ) {
        self.graph = graph
        subjects = PushSubjectReader(graph: graph, timelines: timelines)
        self.suggestions = suggestions
        self.now = now
    }

    func decision(on event: PushEvent) async throws -> PushDecision {
        let verdict = try await verdict(
            event.channel, event.kind, for: event.user, subject: event.subject, post: event.post, since: event.createdAt
        )
        switch verdict {
        case .drop: return .drop
        case .wait(let until): return .wait(until: until)
        case .tell(let subject):
            let payload = PushPayload.text(event.channel, event.kind, subject: event.subject, subject)
            return .tell(payload: payload, post: subject.post)
        }
    }

    func verdict(on delivery: PushDelivery) async throws -> Verdict {
        try await verdict(
            delivery.channel, delivery.kind, for: delivery.user, subject: delivery.subject, post: delivery.post,
            since: delivery.createdAt)
    }

    private func verdict(
        _ channel: PushChannel, _ kind: PushKind, for user: UserID, subject: Int64, post: PostID?, since: Int64
    ) async throws -> Verdict {
        if channel == .device {
            guard now() - since <= PushEventStore.retention else { return .drop }
            let settings = try await graph.pushSettings.pushSettings(of: user)
            if settings.refused.contains(kind) { return .drop }
            if let end = settings.quietHours?.end(at: now()) { return .wait(until: end) }
        }
        guard let subject = try await self.subject(kind, for: user, subject: subject, post: post) else {
            return .drop
        }
        return .tell(subject)
    }

    /// Returns the subject; nil if the user may no longer be told of it.
    private func subject(
        _ kind: PushKind, for user: UserID, subject: Int64, post: PostID?
    ) async throws -> PushSubject? {
        let chosen = try await chosen(kind, for: user, post)
        let found = try await subjects.subject(kind, subject, post: chosen, for: user)
        if case .group(let group, _)? = found, group.isRead { return nil }
        return found
    }

    /// Returns the post of a push, if any. That of a reminder is chosen when the user is told, and stays chosen.
    private func chosen(_ kind: PushKind, for user: UserID, _ post: PostID?) async throws -> PostID? {
        if let post { return post }
        return switch kind {
        case .reminder: try await suggestions.routine(user)
        case .trending: try await suggestions.discussion(user)
        default: nil
        }
    }
}
