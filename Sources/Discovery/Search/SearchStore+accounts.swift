import Database
import Glibc
import SocialGraph
import Text

/// Searches for people by their names and bios.
extension SearchStore {
    /// Returns up to `limit` users with all of `words` in their names or bio; the last word may be a prefix. Users
    /// across a block and deleted or suspended users are left out; silenced users appear only to their followers. An
    /// exact match of the username comes first. The rest are ordered by the rank of the match times the logarithm of
    /// the followers; ties go to the most followed. If very many users match, only the most followed are examined.
    package func accounts(matching words: SearchWords, for viewer: UserID, limit: Int) async throws -> [Account] {
        guard let query = TextQuery(.profiles, words) else { return [] }
        return try await database.read { reader in
            let blocked = Set(
                try reader.rows(FeedStore.Reader.contextBlocksQuery, [.user(viewer)]) {
                    UserID(rawValue: $0.integer(0))
                })
            let suspended = try AccountStore.Reader(reader).suspended()
            let found = try AccountStore.Reader(reader).mostFollowed(
                query, limit: SearchStore.searchedAccounts + blocked.count + suspended.count
            ).filter { !blocked.contains($0) && !suspended.binaryContains($0) }
            let ranks = try reader.text.ranks(of: found.map(\.rawValue), for: query)
            let silenced = Set(
                try reader.rows(
                    of: Self.unfollowedSilencedQuery.queries(found.map(SQLValue.user), after: [.user(viewer)])
                ) { UserID(rawValue: $0.integer(0)) }.joined())
            let accounts = try AccountStore.Reader(reader).accounts(found.filter { !silenced.contains($0) })
            let scored = accounts.map { account in
                let isNamed = SearchWords(account.username) == words
                let rank = ranks[account.id.rawValue] ?? 0
                return (account, (isNamed ? 1 : 0, rank * log2(Double(account.followersCount + 2))))
            }
            return scored.sorted { one, other in
                one.1 != other.1 ? one.1 > other.1 : one.0.isMoreFollowed(than: other.0)
            }.prefix(limit).map(\.0)
        }
    }

    static let unfollowedSilencedQuery = ListQuery(after: 1) { list in
        """
        SELECT a.id FROM account a WHERE a.id IN (\(list)) AND a.silenced_at IS NOT NULL AND a.id <> ?1
            AND NOT EXISTS (SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = a.id)
        """
    }
}

extension SearchStore.Reader {
    /// Returns at most `limit` users with `word` in their names: exact matches first, then the most followed.
    func users(named word: String, isBeginning: Bool, limit: Int) throws -> [UserID] {
        let exact = try AccountStore.Reader(reader).mostFollowed(
            TextQuery(.names, [.init(word: word, isBeginning: false)]), limit: limit)
        guard isBeginning, exact.count < limit else { return exact }
        let others = try AccountStore.Reader(reader).mostFollowed(
            TextQuery(.names, [.init(word: word, isBeginning: true)]), limit: limit)
        return Array((exact + others.filter { !exact.contains($0) }).prefix(limit))
    }
}

extension Account {
    fileprivate func isMoreFollowed(than other: Account) -> Bool {
        (followersCount, id) > (other.followersCount, other.id)
    }
}
