extension GraphStore {
    /// Judges and carries out an order in one transaction: all of it, or nothing. A dry run is the same transaction,
    /// undone. `actor` nil: graphd itself, which may do everything, on behalf of the site. `detail`: what the modlog
    /// tells besides, such as the rule that made it do so. Throws ``ModerationError`` and ``GraphError``.
    package func moderate(
        _ order: ModerationOrder, by actor: UserID?, isDryRun: Bool = false, detail: [String: String] = [:]
    ) async throws -> ModerationOutcome {
        if case .name(let name) = order.detail, let actor, !isDryRun {
            // A new name of a community is judged as that of a new one is.
            return try await writeScreened(Self.draft(of: [name], by: actor)) { screening, transaction in
                let outcome = try Self.carryOut(order, by: actor, detail: detail, in: transaction)
                for subject in order.subjects {
                    try Self.screen([name], of: subject, by: actor, screening, transaction)
                }
                return outcome
            }
        }
        return try await moderating(isDryRun) { try Self.carryOut(order, by: actor, detail: detail, in: $0) }
    }

    /// Sets a site role from the machine itself, without a moderator: how the first admin is made.
    package func appoint(_ role: SiteRole?, _ user: UserID, reason: String) async throws -> ModerationOutcome {
        try await moderate(
            ModerationOrder(.setSiteRole, [.user(user)], reason: reason, detail: .siteRole(role)), by: nil)
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

    /// Within a transaction that does more. `automatic`: on whose behalf graphd acts where `actor` is nil.
    static func carryOut(
        _ order: ModerationOrder, by actor: UserID?, automatic: ModerationScope = .site,
        detail: [String: String] = [:], in transaction: any GraphTransaction
    ) throws -> ModerationOutcome {
        try order.check(now: transaction.now)
        let authority = try actor.map { try self.authority(of: $0, transaction) }
        let scope = authority?.scope ?? automatic
        let batch = BatchID(rawValue: try transaction.nextID())
        let results = try order.subjects.map { subject in
            let target = try target(of: subject, order, transaction)
            try judge(order.action, by: authority, in: target.community, on: target.user, transaction)
            if authority != nil, scope == .community { try requireParticipant(order, target, transaction) }
            let plan = try plan(order, for: target, by: actor, scope, in: transaction)
            if scope == .community, plan.effects.contains(where: { $0.stack.isDecidedBySite(against: $0.state) }) {
                throw ModerationError.siteDecision
            }
            guard !plan.effects.isEmpty else {
                return ModerationOutcome.Result(subject: subject, isChanged: false, entry: nil)
            }
            var record = ModlogRecord(order, of: target, batch: batch, by: actor, scope)
            record.detail.merge(plan.detail) { given, _ in given }
            record.detail.merge(detail) { given, _ in given }
            let entry = try append(record, in: transaction)
            try apply(plan, as: entry, endsAt: order.endsAt, by: scope, in: transaction)
            if let undone = plan.undoes {
                _ = try takeBack(
                    undone, by: authority, batch: batch, reason: order.reason, isSettling: true, in: transaction)
            }
            return ModerationOutcome.Result(subject: subject, isChanged: true, entry: entry)
        }
        let isChanged = results.contains(where: \.isChanged)
        return ModerationOutcome(batch: isChanged ? batch : nil, isDryRun: false, results: results)
    }

    private static func apply(
        _ plan: ModerationPlan, as entry: ModlogEntryID, endsAt: Int64?, by scope: ModerationScope,
        in transaction: any GraphTransaction
    ) throws {
        var stacks: [FacetStack] = []
        for (before, state) in plan.effects {
            var stack = before
            try push(state, on: &stack, as: entry, endsAt: endsAt, by: scope, in: transaction)
            stacks.append(stack)
        }
        try settle(stacks, in: transaction)
    }
}

/// Undoes what a dry run has done.
private struct DryRun: Error {
    let outcome: ModerationOutcome
}
