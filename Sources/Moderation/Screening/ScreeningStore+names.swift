import SocialGraph

/// Public names and descriptions of people and communities, judged by rules of the site before they are written. They
/// cannot be held, since a name is always needed. If a rule would hold or remove one, it is refused. If a rule would
/// flag it, it is written and reported.
extension ScreeningStore.Writer {
    /// Applies the judgement of texts about `subject` by `user`, in the transaction that writes them. Throws
    /// ``GraphError/refusedByRule(_:)`` and ``StaleScreening``.
    func screen(_ texts: [String?], of subject: ModerationSubject, by user: UserID, _ screening: Screening) throws {
        guard texts.contains(where: { $0?.isEmpty == false }) else { return }
        let versions = try RuleStore.Reader(transaction).ruleVersions(in: nil)
        guard versions == screening.versions else { throw StaleScreening() }
        guard !versions.isEmpty, try !stored.ranks(of: user, in: nil).isOfSite else { return }
        guard let judgement = screening.judgement(of: nil) else { throw StaleScreening() }
        if let match = judgement.strongest {
            guard match.rule.action == .flag else { throw GraphError.refusedByRule(match.rule.name) }
            try reportByItself(
                subject, of: user, to: nil, reason: "Rule: \(match.rule.name)", note: "Matched: \(match.matched)")
        }
        guard let stopped = judgement.stoppedAt else { return }
        // A rule that is always too large would refuse every name.
        guard stopped.isTooLarge else { throw GraphError.refusedByRule(stopped.name) }
        try reportByItself(
            subject, of: user, to: nil, reason: "Rule: \(stopped.name)", note: "The rule is too large to be applied.")
    }
}
