import Database
import SocialGraph

/// The limit on the words of all rules of a scope (``ModerationLimits/foldedWordsPerScope``).
extension RuleStore {
    /// The rules of the scope have changed since they were measured.
    private struct StaleMeasure: Error {}

    /// Runs `body` in a transaction if the scope has room for the words of `definition`. The words are folded outside
    /// the transaction of the only writer, and measured again if the rules change meanwhile. Throws
    /// ``ModerationError/invalidOrder(field:_:)``, and ``DatabaseError/busy`` if the rules change too often.
    ///
    /// - Parameters:
    ///   - definition: The definition to write; nil for none.
    ///   - id: The rule that gets the definition; nil for a new one.
    func writeWithRoom<Value: Sendable>(
        for definition: RuleDefinition?, replacing id: RuleID? = nil, in community: CommunityID?, by user: UserID,
        _ body: @escaping @Sendable (any GraphTransaction) throws -> Value
    ) async throws -> Value {
        guard let definition, definition.kind == .keyword else { return try await database.write(body) }
        for _ in 0..<ScreeningStore.attempts {
            let (version, rules) = try await database.read { reader in
                try Reader(reader).requireModerating(community, by: user)
                return (try Reader(reader).version(of: community), try Reader(reader).allRules(of: community))
            }
            try await screeningState.thread.run(for: user.rawValue) {
                try definition.requireRoom(among: rules, replacing: id)
            }
            do {
                return try await database.write { transaction in
                    guard try Reader(transaction).version(of: community) == version else { throw StaleMeasure() }
                    return try body(transaction)
                }
            } catch is StaleMeasure {
                continue
            }
        }
        throw DatabaseError.busy
    }
}

extension RuleStore.Reader {
    fileprivate func version(of community: CommunityID?) throws -> String? {
        try ruleVersions(in: community).version(of: community)
    }

    fileprivate func allRules(of community: CommunityID?) throws -> [ModerationRule] {
        try rules(of: community, above: 0, limit: Int(ModerationLimits.rulesPerScope))
    }
}
