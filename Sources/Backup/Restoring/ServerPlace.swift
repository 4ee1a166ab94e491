import CommandSupport
import Database
import Foundation
import PostgreSQL

/// An empty database on a server, which `pg_restore` fills in one transaction.
struct ServerPlace: DatabasePlace {
    /// The data directory under a temporary name.
    private let directory: DataDirectory
    private let target: RestorationTarget
    private let program: PostgreSQLProgram
    /// The schema with the tables.
    private let schema: String

    /// Takes the database for this restoration.
    ///
    /// - Parameters:
    ///   - directory: a directory under a temporary name, with the server.
    ///   - version: of the server that the backup was made of, as in 150004.
    ///   - schema: with the tables, in the backup.
    /// - Throws: ``CommandFailure``, `DatabaseError`. Then the database is as it was.
    init(
        _ server: DatabaseServer, for directory: DataDirectory, version: Int64, schema: String,
        programs: PostgreSQLProgram.Folders
    ) throws {
        try server.requireVariables()
        self.directory = directory
        self.schema = schema
        target = try RestorationTarget(server.address, requiresStandby: server.requiresStandby)
        do {
            try Self.require(version, schema, target)
            program = try PostgreSQLProgram("pg_restore", for: target.serverVersion, in: programs)
        } catch {
            try target.undo()
            throw error
        }
    }

    private static func require(_ version: Int64, _ schema: String, _ target: RestorationTarget) throws {
        guard target.serverVersion / 10_000 >= version / 10_000 else {
            throw CommandFailure(
                "The backup is of PostgreSQL \(version / 10_000), and the server of the database \(target.address) is "
                    + "PostgreSQL \(target.serverVersion / 10_000). Name a database on a server of the same version or "
                    + "a later one.")
        }
        guard target.schema == schema else {
            throw CommandFailure(
                "The tables of the backup are in the schema \"\(TerminalText.safe(schema))\", and the user of the "
                    + "database \(target.address) makes tables in \"\(target.schema)\". Create the schema, and set "
                    + "search_path for the user (ALTER ROLE … SET search_path).")
        }
    }

    func restore(_ entry: BackupEntry, of archive: BackupArchive) throws -> any ReadableDatabase {
        try archive.check(entry)
        // Exact names, not patterns as those of pg_dump.
        let arguments = [
            "--single-transaction", "--exit-on-error", "--schema=\(schema)",
            "--dbname=\(target.address.databaseArgument)", archive.path + "/" + entry.path,
        ]
        try program.run(
            ServerDump.options + arguments,
            environment: target.address.environment(ProcessInfo.processInfo.environment), messagesIn: directory.path)
        let reader = ServerReader(target.address)
        reader.analyze()
        return RestoredDatabase(reader: reader)
    }

    func open() throws -> any OpenedDatabase { try directory.openDatabase(isBeingRestored: true) }

    /// The server has flushed what it has acknowledged.
    func flush() {}

    func release() throws { try target.complete() }

    func undo() throws { try target.undo() }
}

/// A database on a server, after its restoration.
private struct RestoredDatabase: ReadableDatabase {
    let reader: ServerReader

    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try reader.read(body) }

    func schemaChanges() throws -> [String] { try reader.read { try SchemaChanges($0).names } }
}
