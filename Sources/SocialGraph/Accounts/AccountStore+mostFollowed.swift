import Database

extension AccountStore.Reader {
    /// The most followed of the matching accounts, at most `limit`.
    package func mostFollowed(_ query: TextQuery, limit: Int) throws -> [UserID] {
        let found = try reader.text.matches(query, below: .max, limit: AccountStore.searchedNames)
        guard found.count > limit else { return found.map(UserID.init(rawValue:)) }
        let matching = Set(found)
        var users: [UserID] = []
        try reader.forEach(Self.mostFollowedQuery, []) { row in
            if matching.contains(row.integer(0)) { users.append(UserID(rawValue: row.integer(0))) }
            return users.count < limit
        }
        return users
    }

    static let mostFollowedQuery =
        "SELECT id FROM account WHERE followers_count >= 0 ORDER BY followers_count DESC, id DESC"
}
