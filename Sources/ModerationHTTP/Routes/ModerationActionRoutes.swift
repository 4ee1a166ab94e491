import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// Acts of moderators, and their undoing.
struct ModerationActionRoutes: Sendable {
    let graph: GraphStore
    /// Count the subjects of orders and undos.
    let budgets: Budgets

    /// `POST /v1/moderation/actions` ``ModerationOrderBody`` → {batch, action, dryRun, changed, results: [{subject,
    /// changed, entryId}]}: all or nothing
    @Sendable func order(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let body = try ModerationOrderBody(await request.bodyBytes(), now: SystemClock.milliseconds())
        // Non-moderators learn nothing about the subjects.
        guard try await graph.moderation.authority(of: caller).isModerating else {
            throw ModerationError.notPermitted(body.order.action)
        }
        try spend(body.order.subjects.count, of: caller)
        return try await context.creating(mayRepeat: body.isDryRun) {
            try await graph.moderation.moderate(body.order, by: caller, isDryRun: body.isDryRun)
        } answer: { outcome in
            .json(reservingCapacity: 64 + 96 * outcome.results.count) { $0.outcome(outcome, of: body.order.action) }
        }
    }

    /// `POST /v1/moderation/batches/{batch}/undo` {reason?, dryRun?} → the same answer as for actions
    @Sendable func undo(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try await request.optionalObject()
        let reason = try body?.optionalText("reason", maxLength: ModerationLimits.moderationReasonLength)
        let isDryRun = try body?.optionalBool("dryRun")
        try body?.end()
        guard try await graph.moderation.authority(of: caller).isModerating else {
            throw ModerationError.notPermitted(.undo)
        }
        guard let batch = context.parameters.get("batch").flatMap({ TextRules.parseID($0) }) else {
            throw ModerationError.batchNotFound
        }
        let size = try await graph.moderation.size(of: BatchID(rawValue: batch))
        try spend(size, of: caller)
        return try await context.creating(mayRepeat: isDryRun ?? false) {
            try await graph.moderation.undo(
                BatchID(rawValue: batch), by: caller, reason: reason ?? "", isDryRun: isDryRun ?? false)
        } answer: { outcome in
            .json(reservingCapacity: 64 + 96 * outcome.results.count) { $0.outcome(outcome, of: .undo) }
        }
    }

    /// Counts the subjects of an act. One without subjects is refused by the engine.
    private func spend(_ subjects: Int, of caller: UserID) throws {
        guard subjects > 0 else { return }
        try budgets.spend(.moderationSubjects, of: .user(caller.rawValue), acts: subjects)
    }
}

extension ModerationAuthority {
    /// Throws ``ModerationError/notPermitted(_:)`` for a user without a role on the site.
    func requireSiteRole(for action: ModerationAction) throws {
        guard siteRole != nil else { throw ModerationError.notPermitted(action) }
    }
}
