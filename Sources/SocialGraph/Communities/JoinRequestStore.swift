import Database

/// Requests to join private communities, which a moderator decides.
package struct JoinRequestStore: Sendable {
    package let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        package let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension JoinRequestStore.Writer {
    func insertRequest(of user: UserID, to community: CommunityID) throws {
        if try transaction.exists(Self.requestProbe, [.user(user), .community(community)]) { return }
        try BlockAndMuteStore.Reader(transaction).requireRoom(
            "SELECT COUNT(*) FROM community_request WHERE user_id = ?1", [.user(user)],
            below: SocialGraphLimits.joinedCommunities, "open requests")
        try transaction.execute(
            "INSERT INTO community_request (community_id, user_id, position) VALUES (?1, ?2, ?3)",
            [.community(community), .user(user), .integer(try transaction.nextID())])
    }

    static let requestProbe = "SELECT 1 FROM community_request WHERE user_id = ?1 AND community_id = ?2"

    @discardableResult package func deleteRequest(of user: UserID, to community: CommunityID) throws -> Bool {
        try transaction.executeCounting(
            "DELETE FROM community_request WHERE user_id = ?1 AND community_id = ?2",
            [.user(user), .community(community)]) > 0
    }
}
