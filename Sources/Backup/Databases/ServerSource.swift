import CommandSupport
import Database
import Foundation
import PostgreSQL

/// A database on a server, saved by `pg_dump`.
struct ServerSource: BackupSource {
    private let address: PostgreSQLAddress
    private let programs: PostgreSQLProgram.Folders
    private let reader: ServerReader

    /// - Throws: ``CommandFailure``.
    init(_ server: DatabaseServer, programs: PostgreSQLProgram.Folders) throws {
        try server.requireVariables()
        address = server.address
        self.programs = programs
        reader = ServerReader(server.address)
    }

    /// A dump is compressed and has no indexes. Its length cannot be told before.
    var snapshotBytes: Int64 { 0 }

    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try reader.read(body) }

    func schemaChanges() throws -> [String] { try reader.read { try SchemaChanges($0).names } }

    /// The snapshot stays open until its value is gone, for `pg_dump` and for queries.
    func takeSnapshot(in folder: String) throws -> any BackupSnapshot {
        let snapshot = try ExportedSnapshot(of: address)
        return ServerSnapshot(
            snapshot: snapshot, program: try PostgreSQLProgram("pg_dump", for: snapshot.serverVersion, in: programs),
            environment: address.environment(ProcessInfo.processInfo.environment), folder: folder)
    }
}

/// A snapshot on a server, and the program that saves it.
private struct ServerSnapshot: BackupSnapshot {
    let snapshot: ExportedSnapshot
    let program: PostgreSQLProgram
    let environment: [String: String]
    let folder: String

    var engine: SavedEngine { .postgreSQL(version: snapshot.serverVersion, schema: snapshot.schema) }

    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try snapshot.read(body) }

    func schemaChanges() throws -> [String] { try snapshot.read { try SchemaChanges($0).names } }

    /// Finds no problem: `pg_dump` reads every row, and fails if it cannot.
    func complete() throws -> String? {
        let path = folder + "/" + BackupLayout.dump
        // With the permissions of a new file of ours: pg_dump keeps those of a file that exists.
        unlink(path)
        try NewFile.write([], to: path)
        let schema = "\"" + snapshot.schema.replacing("\"", with: "\"\"") + "\""
        let arguments = [
            "--format=custom", "--snapshot=\(snapshot.name)", "--schema=\(schema)", "--file=\(path)",
        ]
        var bar = ProgressBar(label: "dumping the database", unit: .bytes, total: nil)
        defer { bar.finish() }
        try program.run(ServerDump.options + arguments, environment: environment, messagesIn: folder) {
            bar.update(done: Int(FileStatus(path)?.bytes ?? 0))
        }
        try Flush.file(path)
        return nil
    }
}

/// The dump in a backup.
enum ServerDump {
    /// Options of `pg_dump` and `pg_restore`: tables, rows and what belongs to them, without whatever the server of the
    /// original has beside. A password is never asked for on a terminal.
    static let options = [
        "--no-password", "--no-owner", "--no-privileges", "--no-comments", "--no-publications", "--no-subscriptions",
        "--no-security-labels", "--no-tablespaces",
    ]
}

extension DatabaseServer {
    /// - Throws: ``CommandFailure`` for an address that no environment of a program can hold.
    func requireVariables() throws {
        guard let option = address.withoutVariable.first else { return }
        throw CommandFailure(
            "The address has the option \"\(option)\", which cannot be passed on to PostgreSQL's programs safely. Use "
                + "an address without it: a client key without a password, for example.")
    }
}
