import Database
import Foundation
import GraphAssembly
import PostgreSQL
import SocialGraph

/// The database of a data directory: its file `graph.db`, or one on a server.
extension DataDirectory {
    /// Opens and migrates the database.
    package func openGraph(for purpose: SQLiteDatabase.Purpose = .serving) throws -> GraphStore {
        GraphStore(database: try openDatabase(for: purpose))
    }

    /// Opens and migrates the database, with a clock that continues from the last time that the database has seen.
    /// Blocks.
    ///
    /// - Parameters:
    ///   - lock: the lock of the serving process, which shows that no other one serves the directory.
    ///   - standbyReads: when a standby of a server may be read; nil: never.
    ///   - isBeingRestored: true for the restoration that has marked the database of a server.
    /// - Throws: ``CommandFailure``.
    package func openDatabase(
        for purpose: SQLiteDatabase.Purpose = .serving, clock: SteadyClock = SteadyClock(), lock: ServingLock? = nil,
        standbyReads: StandbyReads? = nil, isBeingRestored: Bool = false
    ) throws -> any OpenedDatabase {
        do {
            var options = purpose == .bulkWrites ? PostgreSQLOptions.bulkWrites : PostgreSQLOptions()
            options.lease = DatabaseServer.lease(ofEnded: try lock.flatMap { _ in try knownNodeID() })
            options.isBeingRestored = isBeingRestored
            options.standbyReads = standbyReads
            let database = try open(purpose, GraphClock(clock), options)
            do {
                try UnfinishedCopy.refuse(database)
                if let server { try use(database, of: server) }
                if let mark = try database.clockMark(before: clock.wall()) { clock.resume(from: mark) }
            } catch {
                try? database.close()
                throw error
            }
            return database
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    private func open(
        _ purpose: SQLiteDatabase.Purpose, _ times: GraphClock, _ options: PostgreSQLOptions
    ) throws -> any OpenedDatabase {
        guard let server else {
            try requireFile()
            createDatabaseFile()
            return try SQLiteDatabase(path: database, purpose: purpose, times: times)
        }
        var options = options
        options.requiresStandby = server.requiresStandby
        return try PostgreSQLDatabase(graphAt: server.address, options: options, times: times)
    }

    /// The number of the node; nil if the directory has not been used with a server.
    private func knownNodeID() throws -> Int64? { NodeFile.exists(in: path) ? try nodeID() : nil }

    /// A directory whose database is on a server must not go on with an older file, or a new one.
    private func requireFile() throws {
        guard NodeFile.exists(in: path) else { return }
        throw CommandFailure(
            "The database of the data directory \(path) is on a PostgreSQL server. Name it with --database or "
                + "\(DatabaseServer.environmentVariable). To use graph.db instead, remove \(path)/\(NodeFile.name).")
    }

    /// Makes the database of a server that of the directory. An empty one cannot continue a file that has data.
    private func use(_ opened: any OpenedDatabase, of server: DatabaseServer) throws {
        let followsFile = !NodeFile.exists(in: path) && FileStatus(database) != nil
        guard try !followsFile || opened.clockMark(before: .max) != nil else {
            throw CommandFailure(
                "\(database) holds a graph, and the database \(server.address) is empty. Copy it first (graphd "
                    + "database copy), or move the file elsewhere.")
        }
        _ = try NodeFile(in: path)
    }

    private func failure(_ error: DatabaseError) -> CommandFailure {
        switch error {
        case .storageFull(let detail):
            CommandFailure("The database cannot be opened because its disk is full. Free space on it: \(detail)")
        case .storageCorrupt(let detail):
            CommandFailure(
                server == nil
                    ? "The database is damaged: \(detail). Restore \(database) from a backup, or recover what can be "
                        + "read: \"Damaged database\" in docs/operations/disk-and-clock.md."
                    : "The database is damaged: \(detail). Restore it from a backup (graphd restore).")
        case .storage(let detail): CommandFailure("The database cannot be opened: \(detail)")
        case .busy, .idSpaceExhausted: CommandFailure("The database cannot be opened: \(error)")
        }
    }
}

extension DataDirectory {
    /// Makes the file the database of a directory whose database was on a server.
    package func useFile() throws {
        let node = path + "/" + NodeFile.name
        guard unlink(node) == 0 || errno == ENOENT else {
            throw CommandFailure("\(node) cannot be removed: \(String(cString: strerror(errno))).")
        }
    }
}
