import Algorithms
import Foundation

/// The least work of PostgreSQL for the rows of posts: psql inserts the same rows, with their indexes, durably, in
/// transactions of so many posts each.
struct BarePostgreSQL {
    let postgres: PostgreSQL
    /// A database of graphd with posts. Nobody else uses its tables meanwhile.
    let database: String
    /// Posts of a transaction.
    let group: Int

    /// The tables of a post's rows, each with the column of its post.
    private static let tables = [
        ("post", "id"), ("author_post", "post_id"), ("post_tag", "post_id"), ("topic_post", "post_id"),
        ("post_text", "id"), ("delivery", "post_id"),
    ]

    /// Moves the newest posts out of their tables, and inserts them again. Returns posts a second.
    func rate(posts: Int) async throws -> Double {
        let ids = try postgres.run(
            "SELECT id FROM (SELECT id FROM post ORDER BY id DESC LIMIT \(posts)) AS newest ORDER BY id", in: database
        ).split(separator: "\n").map(String.init)
        guard let first = ids.first else { throw Program.Failure(description: "\(database) has no posts") }
        var preparation = "CREATE SCHEMA moved;\nSET session_replication_role = replica;\n"
        for (table, column) in Self.tables {
            preparation += "CREATE TABLE moved.\(table) AS SELECT * FROM \(table) WHERE \(column) >= \(first);\n"
            preparation += "CREATE INDEX ON moved.\(table) (\(column));\n"
            preparation += "DELETE FROM \(table) WHERE \(column) >= \(first);\n"
        }
        try postgres.run(preparation + "ANALYZE;\n", in: database)
        var script = "SET session_replication_role = replica;\n"
        for part in ids.chunks(ofCount: group) {
            guard let low = part.first, let high = part.last else { continue }
            script += "BEGIN;\n"
            for (table, column) in Self.tables {
                script +=
                    "INSERT INTO \(table) SELECT * FROM moved.\(table) WHERE \(column) BETWEEN \(low) AND \(high);\n"
            }
            script += "COMMIT;\n"
        }
        let insertion = script
        let seconds = try await Program.time { try postgres.run(insertion, in: database) }.seconds
        try postgres.run("DROP SCHEMA moved CASCADE", in: database)
        return Double(ids.count) / seconds
    }
}
