import Audit
import Database
import SocialGraph

/// Orders of moderators: checked, planned, carried out and undone.
package struct ModerationStore: Sendable {
    let database: any GraphDatabase
    let screeningState: ScreeningState

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension ModerationStore {
    /// Checks and carries out an order in one transaction: all of it, or nothing. A dry run is the same transaction,
    /// rolled back. A nil `actor` is graphd itself, which may do everything on behalf of the site. `detail` adds
    /// details to the modlog, such as the rule that caused the action. Throws ``ModerationError`` and ``GraphError``.
    package func moderate(
        _ order: ModerationOrder, by actor: UserID?, isDryRun: Bool = false, detail: [String: String] = [:]
    ) async throws -> ModerationOutcome {
        if case .name(let name) = order.detail, let actor, !isDryRun {
            // The new name of a community is judged in the same way as the name of a new community.
            return try await ScreeningStore(database: database, screeningState: screeningState).writeScreened(
                ScreeningDraft(of: [name], by: actor)
            ) { screening, transaction in
                let outcome = try Writer(transaction).carryOut(order, by: actor, detail: detail)
                for subject in order.subjects {
                    try ScreeningStore.Writer(transaction).screen([name], of: subject, by: actor, screening)
                }
                return outcome
            }
        }
        return try await moderating(isDryRun) { try Writer($0).carryOut(order, by: actor, detail: detail) }
    }

    /// Sets a site role from the machine itself, without a moderator. The first admin is appointed this way. The modlog
    /// has no actor then.
    ///
    /// - Parameter note: an entry of the audit to store with the change.
    package func appoint(
        _ role: SiteRole?, _ user: UserID, reason: String, with note: AuditNote? = nil
    ) async throws -> ModerationOutcome {
        let order = ModerationOrder(.setSiteRole, [.user(user)], reason: reason, detail: .siteRole(role))
        return try await database.write { transaction in
            let outcome = try Writer(transaction).carryOut(order, by: nil)
            if let note, outcome.batch != nil { try AuditStore.Writer(transaction).append(note) }
            return outcome
        }
    }

    func moderating(
        _ isDryRun: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> ModerationOutcome
    ) async throws -> ModerationOutcome {
        do {
            return try await database.write { transaction in
                let outcome = try body(transaction)
                if isDryRun { throw DryRun(outcome: outcome) }
                return outcome
            }
        } catch let dryRun as DryRun {
            let results = dryRun.outcome.results.map {
                ModerationOutcome.Result(subject: $0.subject, isChanged: $0.isChanged, entry: nil)
            }
            return ModerationOutcome(batch: nil, isDryRun: true, results: results)
        }
    }
}

extension ModerationStore.Writer {
    /// Carries out an order within a larger transaction. A repeated subject is changed once. `automatic` is the scope
    /// on whose behalf graphd acts if `actor` is nil. `isTold` is false for an order that only waits for another.
    func carryOut(
        _ order: ModerationOrder, by actor: UserID?, automatic: ModerationScope = .site, detail: [String: String] = [:],
        isTold: Bool = true
    ) throws -> ModerationOutcome {
        try order.check(now: transaction.now)
        let authority = try actor.map { try stored.authority(of: $0) }
        let scope = authority?.scope ?? automatic
        let batch = BatchID(rawValue: try transaction.nextID())
        var seen: Set<ModerationSubject> = []
        // One after the other: each subject sees what became of the ones before, and the modlog is a chain.
        let results = try zip(order.subjects, stored.targets(of: order)).map { subject, found in
            guard seen.insert(subject).inserted else {
                return ModerationOutcome.Result(subject: subject, isChanged: false, entry: nil)
            }
            let target = try found.get()
            try stored.judge(order.action, by: authority, in: target.community, on: target.user)
            if authority != nil, scope == .community {
                try stored.requireParticipant(order, target)
            }
            let plan = try self.plan(order, for: target, by: actor, scope)
            if scope == .community, plan.effects.contains(where: { $0.stack.isDecidedBySite(against: $0.step) }) {
                throw ModerationError.siteDecision
            }
            guard !plan.effects.isEmpty else {
                return ModerationOutcome.Result(subject: subject, isChanged: false, entry: nil)
            }
            var record = ModlogRecord(order, of: target, batch: batch, by: actor, scope)
            record.detail.merge(plan.detail) { given, _ in given }
            record.detail.merge(detail) { given, _ in given }
            let entry = try ModlogStore.Writer(transaction).append(record)
            try apply(plan, as: entry, endsAt: order.endsAt, by: scope)
            if isTold { try NoticeStore.Writer(transaction).notify(of: record, entry) }
            if let undone = plan.undoes {
                _ = try takeBack(
                    undone, by: authority, batch: batch, reason: order.reason, grantsAppeal: true)
            }
            return ModerationOutcome.Result(subject: subject, isChanged: true, entry: entry)
        }
        let isChanged = results.contains(where: \.isChanged)
        return ModerationOutcome(batch: isChanged ? batch : nil, isDryRun: false, results: results)
    }

    private func apply(
        _ plan: ModerationPlan, as entry: ModlogEntryID, endsAt: Int64?, by scope: ModerationScope
    ) throws {
        var stacks: [FacetStack] = []
        for (before, step) in plan.effects {
            var stack = before
            try FacetStore.Writer(transaction).push(step, on: &stack, as: entry, endsAt: endsAt, by: scope)
            stacks.append(stack)
        }
        try FacetStore.Writer(transaction).apply(stacks)
    }
}

/// Rolls back a dry run.
private struct DryRun: Error {
    let outcome: ModerationOutcome
}
