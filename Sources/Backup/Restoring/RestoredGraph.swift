import Audit
import CommandSupport
import Database
import GraphAssembly
import MediaFiles
import SocialGraph
import Timeline

/// The database of a restored directory, before anybody serves it.
struct RestoredGraph {
    /// Places in the change log that are skipped. More changes than that cannot have been acknowledged between the
    /// backup and the end of its original.
    static let skippedPlaces: Int64 = 1 << 40

    let graph: GraphStore

    /// Separates the database from its original, which may have gone on after the backup, or still does.
    ///
    /// * A client that has followed the original's change log beyond the backup would otherwise find its place taken by
    ///   other changes, and miss them. All places of the original are now before the log, so the client is told to read
    ///   the timeline again (`reset`).
    /// * Windows in a shared Redis belong to the original: they are neither read nor removed.
    /// * A bucket of files belongs to the original, whose new files a sweep of the copy would take for strays.
    /// * The leases of the original's nodes are nobody's here.
    ///
    /// - Parameter instant: the time of the backup, for the entry of the audit.
    func leaveOriginal(since instant: String) async throws {
        try await graph.database.write { transaction in
            let last = try BackupQueries(reader: transaction).lastPlaces().change
            try transaction.execute("DELETE FROM change", [])
            try transaction.execute("DELETE FROM change_group", [])
            try transaction.execute(
                "INSERT INTO change (seq, kind, subject, object) VALUES (?1, 0, 0, 0)",
                [.integer(last + Self.skippedPlaces)])
            try transaction.execute(
                """
                UPDATE lease SET incarnation = incarnation + 1, ends_at = 0
                WHERE name = ?1 OR substr(name, 1, length(?2)) = ?2
                """, [.text(DatabaseServer.leaseName), .text(ServingNode.leasePrefix)])
            try transaction.execute("DELETE FROM serving_node", [])
            try transaction.execute(
                "DELETE FROM setting WHERE name IN (?1, ?2)",
                [.text(MediaBucket.graphSetting), .text(MediaPlace.setting)])
            try AuditStore.Writer(transaction).append(
                AuditNote(.restored, by: .machineUser, detail: "backup of \(instant)"))
        }
        try await forgetWindows()
    }

    /// Forgets the windows of this database, wherever they are.
    func forgetWindows() async throws {
        try await graph.database.write { transaction in
            for beginning in WindowSpace.settings {
                try transaction.execute(
                    "DELETE FROM setting WHERE name >= ?1 AND name < ?2", [.text(beginning), .text(beginning + "~")])
            }
        }
    }
}
