import CommandSupport
import Database
import GraphAssembly
import PostgreSQL

/// The database on a PostgreSQL server: reachable, safe, and of a known version.
struct DatabaseServerCheck: Equatable {
    /// The server and the database, without a password.
    let place: String
    let version: String
    let bytes: Int64
    /// Names of the changes that made its tables, and of those that this program knows.
    let changes: [String]
    let known: [String]
    /// True if a copy or a restoration has not been completed.
    var isUnfinished = false
    /// Names of the synchronous standbys.
    let standbys: [String]

    var findings: [Finding] {
        let unknown = changes.filter { !known.contains($0) }
        if !unknown.isEmpty {
            return [
                Finding(
                    .database, .failure,
                    "The database \(place) was written by a later version of graphd ("
                        + "\(unknown.joined(separator: ", "))).",
                    remedy: "Install that version, or restore a backup that this version made.")
            ]
        }
        if isUnfinished {
            return [
                Finding(
                    .database, .failure, "The database \(place) is an unfinished copy or restoration.",
                    remedy: "Run the same 'graphd database copy' or 'graphd restore' again.")
            ]
        }
        if changes.isEmpty {
            return [
                Finding(
                    .database, .failure, "The database \(place) holds no graph.",
                    remedy: "Start 'graphd serve', which creates the tables, or copy a graph: graphd database copy")
            ]
        }
        return [
            Finding(.database, .sound, "The database \(place) has \(ByteText.text(bytes)), on PostgreSQL \(version).")
        ] + comingChanges + replication
    }

    private var comingChanges: [Finding] {
        let coming = known.filter { !changes.contains($0) }
        guard !coming.isEmpty else { return [] }
        return [
            Finding(
                .database, .note, "The next start changes the tables (\(coming.joined(separator: ", "))).",
                remedy: "Make a backup first: the former version cannot open the database afterwards.")
        ]
    }

    private var replication: [Finding] {
        guard standbys.isEmpty else {
            return [
                Finding(
                    .database, .sound, "Writes wait for a synchronous standby (\(standbys.joined(separator: ", "))).")
            ]
        }
        return [
            Finding(
                .database, .note, "No synchronous standby is connected: with the server's disk, its data is lost.",
                remedy: "Set one up, and give --require-standby on.")
        ]
    }
}

extension DatabaseServerCheck {
    init(_ server: DatabaseServer, _ examination: ServerExamination) {
        self.init(
            place: "\(server.address)", version: examination.version, bytes: examination.bytes,
            changes: examination.schemaChanges, known: DatabaseSchema.graph.changeNames,
            isUnfinished: examination.isUnfinished, standbys: examination.standbys)
    }

    static func unreachable(_ error: any Error) -> Finding {
        let detail = if case DatabaseError.storage(let detail) = error { detail } else { "\(error)" }
        return Finding(
            .database, .failure, "The database cannot be used: \(detail).",
            remedy: "Start the server, or correct --database.")
    }
}
