import Database

extension AccountStore.Reader {
    /// The most followed of the matching accounts, at most `limit`; searches the `walked` most followed of all first.
    package func mostFollowed(
        _ query: TextQuery, limit: Int, walked: Int = SocialGraphLimits.examinedRows
    ) throws -> [UserID] {
        let found = try reader.text.matches(query, below: .max, limit: AccountStore.searchedNames)
        guard found.count > limit else { return found.map(UserID.init(rawValue:)) }
        var (others, users) = (Set(found), [Int64]())
        try reader.forEach(Self.mostFollowedQuery, [.integer(Int64(walked))]) { row in
            if let user = others.remove(row.integer(0)) { users.append(user) }
            return users.count < limit
        }
        if users.count < limit {
            let queries = Self.followersOfQuery.queries(others.map(SQLValue.integer))
            let counts = try reader.rows(of: queries) { ($0.integer(0), $0.integer(1)) }
            users += counts.joined().sorted(by: >).map(\.1)
        }
        return users.prefix(limit).map(UserID.init(rawValue:))
    }

    static let mostFollowedQuery =
        "SELECT id FROM account WHERE followers_count >= 0 ORDER BY followers_count DESC, id DESC LIMIT ?1"
    static let followersOfQuery = ListQuery { "SELECT followers_count, id FROM account WHERE id IN (\($0))" }
}
