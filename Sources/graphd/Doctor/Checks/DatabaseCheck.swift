import CommandSupport
import Database
import GraphAssembly

/// The database file: readable, of a known version, its log of a reasonable length and, if asked for, undamaged.
struct DatabaseCheck: Equatable {
    /// A longer write-ahead log means that a reader has kept the database from shortening it.
    static let longestLog: Int64 = 1 << 30

    /// Bytes of `graph.db` and of its write-ahead log.
    let bytes: Int64
    let logBytes: Int64
    /// Names of the changes that made its tables, and of those that this program knows.
    let changes: [String]
    let known: [String]
    /// True if every page was read.
    let isThorough: Bool
    /// The first problem found; nil: none.
    let damage: String?

    var findings: [Finding] {
        if let damage {
            return [
                Finding(
                    .database, .failure, "The database is damaged: \(damage).",
                    remedy: "Stop the server and restore a backup (graphd restore), or recover what can be read: "
                        + "\"Damaged database\" in docs/operations/disk-and-clock.md.")
            ]
        }
        let unknown = changes.filter { !known.contains($0) }
        if !unknown.isEmpty {
            return [
                Finding(
                    .database, .failure,
                    "The database was written by a later version of graphd (\(unknown.joined(separator: ", "))).",
                    remedy: "Install that version, or restore a backup that this version made.")
            ]
        }
        let extent = isThorough ? "every page was read" : "--thorough reads every page"
        var findings = [
            Finding(
                .database, .sound, "graph.db and its log have \(ByteText.text(bytes + logBytes)); \(extent).")
        ]
        let coming = known.filter { !changes.contains($0) }
        if !coming.isEmpty {
            findings.append(
                Finding(
                    .database, .note, "The next start changes the tables (\(coming.joined(separator: ", "))).",
                    remedy: "Make a backup first: the former version cannot open the database afterwards."))
        }
        if logBytes > Self.longestLog {
            findings.append(
                Finding(
                    .database, .warning, "The write-ahead log graph.db-wal has \(ByteText.text(logBytes)).",
                    remedy: "It shrinks once no program reads an old state: end long backups and shells of sqlite3, or "
                        + "restart the server."))
        }
        return findings
    }
}

extension DatabaseCheck {
    /// Reads the database of `directory` without changing it; blocks.
    ///
    /// - Throws: `DatabaseError` if it cannot be read.
    init(_ directory: DataDirectory, _ file: DatabaseFile, thorough: Bool) throws {
        self.init(
            bytes: FileStatus(directory.database)?.bytes ?? 0,
            logBytes: FileStatus(directory.database + "-wal")?.bytes ?? 0,
            changes: try file.schemaChanges(), known: DatabaseSchema.graph.changeNames, isThorough: thorough,
            damage: thorough ? try file.damage(.everything) : nil)
    }

    static func unreadable(_ error: any Error) -> Finding {
        Finding(
            .database, .failure, "The database cannot be read: \(error).",
            remedy: "Look at the rights and the disk of graph.db, or restore a backup (graphd restore).")
    }
}
