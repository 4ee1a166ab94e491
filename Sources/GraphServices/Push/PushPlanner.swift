import Logging
import Push
import SocialGraph

/// Turns events into messages: finds the users whom a new post interests, fires reminders, and sends due notifications.
struct PushPlanner: Sendable {
    /// Number of events judged at once.
    static let eventsAtOnce = 64
    /// Number of reminders fired by one transaction.
    static let remindersAtOnce = 100

    let graph: GraphStore
    let judge: PushJudge
    /// Channels that have a sender.
    let channels: Set<PushChannel>
    let metrics: PushMetrics
    let logger: Logger
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// Does a bounded piece of each kind of work. Returns true if there may be more.
    func step() async throws -> Bool {
        guard try await graph.pushEvents.isWorkDue(at: now()) else { return false }
        let fired = try await graph.pushSettings.fireReminders(limit: Self.remindersAtOnce)
        let matched = try await graph.pushEvents.matchInterests()
        let told = try await tell()
        return fired || matched || told
    }

    private func tell() async throws -> Bool {
        let events = try await graph.pushEvents.duePushes(at: now(), limit: Self.eventsAtOnce)
        guard !events.isEmpty else { return false }
        let decisions = await withTaskGroup(of: (PushEvent, PushDecision)?.self) { group in
            for event in events { group.addTask { await decide(event) } }
            return await group.reduce(into: [(event: PushEvent, decision: PushDecision)]()) { decided, one in
                if let one { decided.append((one.0, one.1)) }
            }
        }
        try await graph.pushEvents.apply(decisions)
        for (event, decision) in decisions { metrics.count(decision, of: event.channel) }
        // Events that could not be judged are tried again after a pause.
        return !decisions.isEmpty
    }

    private func decide(_ event: PushEvent) async -> (PushEvent, PushDecision)? {
        guard channels.contains(event.channel) else { return (event, .drop) }
        do {
            return (event, try await judge.decision(on: event))
        } catch {
            logger.error("a push cannot be checked", metadata: [LogKeys.error: "\(error)"])
            return nil
        }
    }
}
