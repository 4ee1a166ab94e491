import Database
import SocialGraph

/// Removes the push data of a deleted account. Its devices, webhooks, settings and reminders go with the deletion, so
/// none of its devices receives anything more; its events and deliveries are erased in steps.
struct PushErasure {
    let transaction: any GraphTransaction

    func silence(_ user: UserID) throws {
        for statement in Self.reachStatements { try transaction.execute(statement, [.user(user)]) }
    }

    /// Statements that each remove a bounded number of rows.
    private static let reachStatements = [
        "DELETE FROM device WHERE user_id = ?1", "DELETE FROM webhook WHERE user_id = ?1",
        "DELETE FROM push_setting WHERE user_id = ?1", "DELETE FROM reminder WHERE user_id = ?1",
    ]

    /// Removes up to about `limit` rows; returns false when nothing is left.
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
