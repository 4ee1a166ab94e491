import Database
import SocialGraph

/// The graph's interface to the rows about stored files.
package struct MediaJobUpkeep: GraphMedia {
    package init() {}

    package func forget(_ files: [MediaID], _ transaction: any GraphTransaction) throws {
        for file in files {
            for statement in Self.statements { try transaction.execute(statement, [.media(file)]) }
        }
    }

    static let statements = [
        "DELETE FROM media_job WHERE media_id = ?1",
        "UPDATE media_job SET poster_id = NULL WHERE poster_id = ?1",
    ]
}
