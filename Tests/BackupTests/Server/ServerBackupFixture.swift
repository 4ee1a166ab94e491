import Database
import Foundation
import GraphAssembly
import PostgreSQLTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport
@testable import PostgreSQL

/// A data directory whose database is on a server, with accounts, posts, files and keys, and an empty database beside
/// it.
struct ServerBackupFixture {
    let backup: BackupFixture
    /// The database of the data directory.
    let source: DatabaseServer
    /// An empty database.
    let target: DatabaseServer

    var restoration: RestoreJob { RestoreJob(from: backup.backup, to: backup.restored, server: target) }

    static func with(_ body: (ServerBackupFixture) async throws -> Void) async throws {
        let owner = try await PostgreSQLServer.shared()
        try await owner.withDatabase { address in
            try await withTemporaryDirectory("backup") { root in
                let source = DatabaseServer(address: address)
                let directory = try DataDirectory.create(at: root + "/data", server: source)
                let (database, target) = try await onThread {
                    // Not one of the few databases that tests wait for: each of them would wait for two.
                    (try directory.openDatabase(), DatabaseServer(address: try owner.createDatabase()))
                }
                let content = ServerGraph(graph: GraphStore(database: database))
                let result: Result<Void, any Error>
                do {
                    let fixture = try await BackupFixture(root: root, directory: directory, content: content)
                    try await body(ServerBackupFixture(backup: fixture, source: source, target: target))
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                try await onThread {
                    try database.close()
                    try owner.drop(target.address)
                }
                try result.get()
            }
        }
    }

    /// Runs `body` with the restored graph.
    func withRestored(_ body: (GraphStore) async throws -> Void) async throws {
        let directory = DataDirectory(path: backup.restored, server: target)
        let database = try await onThread { try directory.openDatabase() }
        try await body(GraphStore(database: database))
        try await onThread { try database.close() }
    }

    /// The changes of the target's tables; empty: it has none.
    func targetChanges() async throws -> [String] {
        let address = target.address
        return try await onThread { try ServerReader(address).read { try SchemaChanges($0).names } }
    }

    /// Marks the target as a restoration does.
    func mark() async throws {
        let source = ConnectionSource(address: target.address, timeouts: .tests, noteRoundTrip: {})
        try await onThread {
            _ = try source.connection(for: .reader).exchange([
                ServerCommand("CREATE TABLE \(SchemaInstaller.restorationMark) (since timestamptz)")
            ])
        }
    }

    /// Expects that a restoration is refused and leaves the target empty, without a mark.
    func expectRefusal(_ words: String, by job: RestoreJob? = nil) async throws {
        try await backup.expectRefusal(words, by: job ?? restoration)
        try await waitUntilUnlocked()
        let address = target.address
        try await onThread { try RestorationTarget(address).undo() }
        try await waitUntilUnlocked()
        #expect(try await targetChanges() == [])
    }

    /// Waits until the server has noticed the end of the last restoration, whose lock it keeps until then.
    func waitUntilUnlocked() async throws {
        let locks = """
            SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'
            AND database = (SELECT oid FROM pg_database WHERE datname = '\(target.address["dbname"] ?? "")')
            """
        while try await PostgreSQLServer.shared().execute(locks) != ["0"] {
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Folders of programs of which one is the script `text`, which may run the real one by its path.
    func script(_ name: String, _ text: String) throws -> PostgreSQLProgram.Folders {
        let folder = backup.directory.path + "/programs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + name
        try ("#!/bin/bash\n" + text).write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return PostgreSQLProgram.Folders(versioned: [(15, folder)], others: [])
    }
}

private struct ServerGraph: GraphScene {
    let graph: GraphStore
}
