import CommandSupport
import Database
import Foundation
import GraphAssembly
import PostgreSQL
import Timeline

/// One end of a copy: a data directory with a file, or a database on a server.
package enum CopyPlace: Sendable {
    case directory(String)
    case server(DatabaseServer)

    /// - Parameter text: the path of a data directory, or the address of a database without a password.
    /// - Throws: ``CommandFailure``.
    package init(parsing text: String) throws {
        self = text.contains("://") ? .server(try DatabaseServer(parsing: text, isArgument: true)) : .directory(text)
    }

    var name: String {
        switch self {
        case .directory(let path): "the data directory \(path)"
        case .server(let server): "the database \(server.address)"
        }
    }
}

/// An end of a copy that is open, and that nobody serves meanwhile.
package struct OpenCopyPlace: Sendable {
    package let name: String
    package let database: any OpenedDatabase
    private let lock: ServingLock?
    private let soleUse: SoleUse?
    /// Gives the database its name once the copy is complete. Blocks.
    private let complete: @Sendable () throws -> Void

    /// Opens the source of a copy.
    ///
    /// - Throws: ``CommandFailure`` if it is being served, or has other tables than this version makes.
    package static func source(_ place: CopyPlace) async throws -> OpenCopyPlace {
        switch place {
        case .directory(let path):
            return try await BlockingThread.run {
                let directory = try DataDirectory.open(at: path)
                let lock = try directory.lockForServing()
                try requireTables(try DatabaseFile(reading: directory.database).schemaChanges(), place)
                return OpenCopyPlace(
                    name: place.name, database: try directory.openDatabase(), lock: lock, soleUse: nil, complete: {})
            }
        case .server(let server):
            let database = try await BlockingThread.run {
                let found = try ServerExamination(of: server.address, now: SystemClock.milliseconds())
                guard !found.isUnfinished else {
                    throw CommandFailure("\(place.name) is itself an unfinished copy or restoration.")
                }
                try requireTables(found.schemaChanges, place)
                return try PostgreSQLDatabase(graphAt: server.address)
            }
            return try await served(database, place)
        }
    }

    /// Opens or creates the target of a copy. In a data directory, the copy has another name until it is complete.
    ///
    /// - Throws: ``CommandFailure`` if it is being served, or holds a graph.
    package static func target(_ place: CopyPlace) async throws -> OpenCopyPlace {
        switch place {
        case .directory(let path): return try await BlockingThread.run { try file(in: path, place) }
        case .server(let server):
            return try await served(
                try await BlockingThread.run {
                    var options = PostgreSQLOptions.bulkWrites
                    options.lease = DatabaseServer.lease(ofEnded: nil)
                    return try PostgreSQLDatabase(graphAt: server.address, options: options)
                }, place)
        }
    }

    private static func file(in path: String, _ place: CopyPlace) throws -> OpenCopyPlace {
        let directory = try DataDirectory.create(at: path)
        let lock = try directory.lockForServing()
        guard directory.isNew else {
            throw CommandFailure("\(directory.database) exists already. Name another data directory, or move it away.")
        }
        let partial = directory.database + ".copy"
        let database = try SQLiteDatabase(path: partial, purpose: .bulkWrites)
        return OpenCopyPlace(name: place.name, database: database, lock: lock, soleUse: nil) {
            guard rename(partial, directory.database) == 0 else {
                throw CommandFailure("\(partial) cannot be renamed: \(String(cString: strerror(errno))).")
            }
            try directory.useFile()
        }
    }

    private static func served(_ database: PostgreSQLDatabase, _ place: CopyPlace) async throws -> OpenCopyPlace {
        let soleUse = try await SoleUse.take(database, named: place.name, before: "the copy")
        return OpenCopyPlace(name: place.name, database: database, lock: nil, soleUse: soleUse, complete: {})
    }

    private static func requireTables(_ changes: [String], _ place: CopyPlace) throws {
        let known = DatabaseSchema.graph.changeNames
        guard changes != known else { return }
        throw CommandFailure(
            changes.isEmpty
                ? "\(place.name) holds no graph."
                : "\(place.name) has the tables of another version of graphd. Start this version on it once, or copy "
                    + "it with the version that wrote it.")
    }

    /// Runs `body` while the lease, if there is one, is renewed; then closes the database. If `body` has succeeded, the
    /// copy is complete.
    package func use<T: Sendable>(isComplete: Bool, _ body: () async throws -> T) async throws -> T {
        defer { withExtendedLifetime(lock) {} }
        let result: Result<T, any Error>
        do { result = .success(try await whileRenewing(body)) } catch { result = .failure(error) }
        await soleUse?.release()
        try await BlockingThread.run { try database.close() }
        let value = try result.get()
        if isComplete { try await BlockingThread.run { try complete() } }
        return value
    }

    private func whileRenewing<T>(_ body: () async throws -> T) async throws -> T {
        guard let soleUse else { return try await body() }
        return try await soleUse.whileRenewing(body)
    }
}
