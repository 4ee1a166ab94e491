import Database
import SocialGraph

/// Removes what a deleted account was told by, and what waited to be told. Where it could be reached goes with the
/// deletion, so that no device of it is told anything more.
struct PushErasure {
    let transaction: any GraphTransaction

    func silence(_ user: UserID) throws {
        for statement in Self.reachStatements { try transaction.execute(statement, [.user(user)]) }
    }

    /// Each removes a bounded number of rows.
    private static let reachStatements = [
        "DELETE FROM device WHERE user_id = ?1", "DELETE FROM webhook WHERE user_id = ?1",
        "DELETE FROM push_setting WHERE user_id = ?1", "DELETE FROM reminder WHERE user_id = ?1",
    ]

    /// Removes up to about `limit` rows; false: nothing is left.
    func erase(_ user: UserID, limit: Int) throws -> Bool {
        var removed = 0
        for statement in Self.pushStatements {
            removed += try transaction.executeCounting(statement, [.user(user), .integer(Int64(limit))])
        }
        return removed > 0
    }

    private static let pushStatements = [
        "DELETE FROM push_event WHERE id IN (SELECT id FROM push_event WHERE user_id = ?1 LIMIT ?2)",
        "DELETE FROM push_delivery WHERE id IN (SELECT id FROM push_delivery WHERE user_id = ?1 LIMIT ?2)",
    ]
}
