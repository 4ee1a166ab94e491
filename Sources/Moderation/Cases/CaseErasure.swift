import Database
import SocialGraph

/// Removes a deleted account's reports and appeals, and moderators' notes on its user. The modlog stays.
struct CaseErasure {
    let transaction: any GraphTransaction

    /// Removes up to about `limit` rows. Returns false if nothing is left.
    func erase(_ user: UserID, limit: Int) throws -> Bool {
        var removed = 0
        for statement in Self.caseStatements {
            removed += try transaction.executeCounting(statement, [.user(user), .integer(Int64(limit))])
        }
        return removed > 0
    }

    static let caseStatements = [
        "DELETE FROM report WHERE id IN (SELECT id FROM report WHERE reporter_id = ?1 LIMIT ?2)",
        // The user whom these reports concern no longer exists.
        "DELETE FROM report WHERE id IN (SELECT id FROM report WHERE user_id = ?1 LIMIT ?2)",
        """
        UPDATE report SET claimed_by = NULL, status = CASE
            WHEN status = \(ReportStatus.claimed.literal) THEN \(ReportStatus.open.literal) ELSE status END
        WHERE id IN (SELECT id FROM report WHERE claimed_by = ?1 LIMIT ?2)
        """,
        """
        UPDATE report SET resolved_by = NULL WHERE id IN (SELECT id FROM report WHERE resolved_by = ?1 LIMIT ?2)
        """,
        "DELETE FROM appeal WHERE id IN (SELECT id FROM appeal WHERE user_id = ?1 LIMIT ?2)",
        "UPDATE appeal SET decided_by = NULL WHERE id IN (SELECT id FROM appeal WHERE decided_by = ?1 LIMIT ?2)",
        """
        DELETE FROM moderation_note WHERE seq IN (
            SELECT e.seq FROM moderation_entry e JOIN moderation_note n ON n.seq = e.seq WHERE e.user_id = ?1 LIMIT ?2)
        """,
    ]
}
