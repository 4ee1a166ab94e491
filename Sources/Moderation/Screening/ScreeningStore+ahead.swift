import Database
import SocialGraph
import Text

/// Judges content before it is written: on a snapshot, in the caller, outside the transaction of the only writer.
extension ScreeningStore {
    /// Maximum number of steps of a judgement made by the thread that serves the request. A longer one has a thread of
    /// its own.
    static let stepsInline = 50_000
    /// Maximum number of times that a content is judged if rules change meanwhile.
    static let attempts = 4

    /// Judges `draft`, then runs `body` in a transaction. If the transaction finds other rules than those applied, the
    /// content is judged again, so that an acknowledged rule judges everything written afterwards. Throws
    /// ``DatabaseError/busy`` if rules change too often, or if too many judgements of one scope are queued.
    func writeScreened<Value: Sendable>(
        _ draft: ScreeningDraft,
        _ body: @escaping @Sendable (Screening, any GraphTransaction) throws -> Value
    ) async throws -> Value {
        let ahead: @Sendable () -> [SQLQuery] = {
            guard let ahead = draft.ahead else { return [] }
            return [RuleStore.Reader.ruleVersionsQuery(in: ahead.community)] + ahead.queries()
        }
        var texts: [String]?
        for _ in 0..<ScreeningStore.attempts {
            let screening = try await judge(draft, texts)
            do {
                return try await database.write(readingAhead: ahead) { try body(screening, $0) }
            } catch let stale as StaleScreening {
                screeningState.mayHaveRules = true
                texts = stale.texts ?? texts
            }
        }
        throw DatabaseError.busy
    }

    /// - Parameter texts: The text that the transaction is about to write; nil for the draft's.
    private func judge(_ draft: ScreeningDraft, _ texts: [String]?) async throws -> Screening {
        guard screeningState.mayHaveRules else { return Screening() }
        let basis = try await database.read { try Reader($0).basis(of: draft) }
        guard var basis else { return Screening() }
        screeningState.mayHaveRules = basis.isAnyKnown
        if let texts { basis.texts = texts }
        var screening = Screening(community: basis.community, versions: basis.versions, texts: basis.texts)
        guard !basis.scopes.isEmpty else { return screening }
        let isShort = Self.isShort(basis.texts, weights: basis.scopes.map(\.known?.weight))
        let (found, screeningState) = (basis, screeningState)
        let work: @Sendable () throws -> [ScopeJudgement] = { try Self.judgements(found, screeningState) }
        screening.judgements =
            isShort
            ? try work()
            : try await screeningState.thread.run(for: basis.community?.rawValue ?? draft.author.rawValue, work)
        return screening
    }

    // MARK: The judgement

    /// Returns whether the thread that serves the request may judge `texts`. Folding is a step for each byte, even if
    /// the rules take none.
    ///
    /// - Parameter weights: Of each scope, the steps of its rules for one scalar; nil if they are not compiled yet.
    static func isShort(_ texts: [String], weights: [Int?]) -> Bool {
        let length = texts.reduce(0) { $0 + $1.utf8.count + 1 }
        return weights.allSatisfy { weight in weight.map { max($0, 1) * length <= stepsInline } ?? false }
    }

    private static func judgements(_ basis: ScreeningBasis, _ screeningState: ScreeningState) throws -> [ScopeJudgement]
    {
        let books = try basis.scopes.map { try $0.book() }
        // Folding a transcript takes long, so a text that no rule examines is not folded.
        let texts = books.contains(where: \.isAboutContent) ? basis.texts.map(FoldedText.init) : []
        screeningState.countFolded(texts.reduce(0) { $0 + $1.scalars.count })
        return zip(basis.scopes, books).map { scope, book in
            let unjudged = ScopeJudgement(community: scope.community, book: book, author: scope.author)
            let (judgement, steps) = unjudged.applying(texts)
            screeningState.count(steps)
            return judgement
        }
    }
}

extension ScopeJudgement {
    /// Applies the rules about content. Each scope has its own budget of steps, so that a community's rules take none
    /// of the site's.
    func applying(_ texts: [FoldedText]) -> (judgement: ScopeJudgement, steps: Int) {
        var budget = SearchSteps(forTexts: texts)
        var judgement = self
        for (index, rule) in book.rules.enumerated() where rule.isAboutContent {
            if let strongest = judgement.strongest, strongest.rule.action >= rule.action { continue }
            guard !rule.isTooLarge else {
                judgement.stoppedAt = judgement.stoppedAt ?? rule
                continue
            }
            if let matched = rule.match(texts, &budget) {
                judgement.strongest = RuleMatch(index: index, rule: rule, matched: matched)
            }
            if budget.isExhausted {
                judgement.stoppedAt = rule
                break
            }
        }
        return (judgement, budget.spent)
    }
}

extension ScreeningStore.Reader {
    // MARK: The snapshot

    fileprivate func basis(of draft: ScreeningDraft) throws -> ScreeningBasis? {
        guard let content = try draft.read(reader) else { return nil }
        let versions = try RuleStore.Reader(reader).ruleVersions(in: content.community)
        var basis = ScreeningBasis(community: content.community, versions: versions, texts: content.texts)
        guard !versions.isEmpty else {
            basis.isAnyKnown = try RuleStore.Reader(reader).hasRules()
            return basis
        }
        let ranks = try self.ranks(of: draft.author, in: content.community)
        for community in Self.judgingScopes(ranks, content.community) {
            guard let version = versions.version(of: community) else { continue }
            let known = RuleBooks.book(version, community)
            let stored = try known == nil ? RuleStore.Reader(reader).storedBook(of: community) : nil
            var scope = ScreeningBasis.Scope(community: community, version: version, known: known, stored: stored)
            if draft.isNew {
                let lookbacks = known?.rules.map(\.lookback) ?? stored?.rules.map(\.definition.lookback) ?? []
                scope.author = try screenedAuthor(draft.author, in: community, lookbacks)
            }
            basis.scopes.append(scope)
        }
        return basis
    }

    /// Returns the scopes that judge the author. The site judges everybody except its own moderators, a community
    /// everybody except its own moderators and the site's.
    static func judgingScopes(
        _ ranks: (isOfSite: Bool, isOfCommunity: Bool), _ community: CommunityID?
    ) -> [CommunityID?] {
        guard !ranks.isOfSite else { return [] }
        guard let community, !ranks.isOfCommunity else { return [nil] }
        return [nil, community]
    }
}

/// The data that one judgement reads from a snapshot.
private struct ScreeningBasis: Sendable {
    struct Scope: Sendable {
        let community: CommunityID?
        let version: String
        /// The compiled rules; nil if not compiled yet.
        let known: RuleBook?
        let stored: StoredRuleBook?
        var author = ScreenedAuthor()

        func book() throws -> RuleBook {
            if let known { return known }
            let book = try RuleBook(stored ?? StoredRuleBook(rules: [], classifiers: []))
            RuleBooks.keep(book, version, community)
            return book
        }
    }

    let community: CommunityID?
    let versions: RuleVersions
    var texts: [String]
    var scopes: [Scope] = []
    /// True if any scope has rules.
    var isAnyKnown = true
}
