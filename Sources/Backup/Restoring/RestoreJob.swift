import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph
import Timeline

/// Restores a backup into a new data directory, and a database of a server if it is a backup of one.
package struct RestoreJob: Sendable {
    package let source: String
    package let destination: String
    /// The server with an empty database for the backup of one; nil for the backup of a file.
    package let server: DatabaseServer?
    /// False leaves out the keys that sign tokens: for a copy that does not replace its original.
    package var keepsKeys = true
    /// The bucket that receives the files; nil for the data directory.
    package var bucket: BucketAccess?
    /// The folders of PostgreSQL's programs.
    var programs = PostgreSQLProgram.Folders.usual()
    /// Called once the database and all files are restored, and before they are verified; tests fail there.
    var beforeVerification: @Sendable () throws -> Void = {}

    package init(from source: String, to destination: String, server: DatabaseServer? = nil) {
        self.source = source
        self.destination = destination
        self.server = server
    }

    /// Copies the backup under a temporary name, checks files, database and timelines, and gives the directory its
    /// name.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``, ``DamagedFile``, `RedisError`. Then there is nothing new at the
    ///   destination, nor in the database of the server.
    package func run() async throws -> RestoreSummary {
        do { return try await make() } catch let error as DatabaseError {
            throw CommandFailure(error, during: "restore")
        }
    }

    private func make() async throws -> RestoreSummary {
        if let bucket { try await RestoredBucket(access: bucket).requireFree() }
        let (archive, place, partial) = try await BlockingThread.run { try self.begin() }
        do {
            let database = try await BlockingThread.run { try databasePlace(archive.manifest, partial) }
            let timelines = try await undoing(database) {
                try await restore(archive, into: database, at: partial, named: place)
            }
            return RestoreSummary(manifest: archive.manifest, destination: place.path, timelines: timelines)
        } catch {
            await remove(partial)
            throw error
        }
    }

    private func begin() throws -> (BackupArchive, NewPlace, PartialDirectory) {
        let archive = try BackupArchive(source)
        try requireEngine(archive.manifest.engine)
        let place = try NewPlace(destination)
        try requireEmpty(place)
        try requireRoom(for: archive.manifest, at: place)
        return (archive, place, try PartialDirectory.create(in: place.parent))
    }

    private func requireEngine(_ engine: SavedEngine) throws {
        switch (engine, server) {
        case (.postgreSQL, nil):
            throw CommandFailure(
                "The backup has a PostgreSQL database. Name an empty one that receives it, with --database or "
                    + "\(DatabaseServer.environmentVariable).")
        case (.sqlite, .some(let server)):
            throw CommandFailure(
                "The backup has a file graph.db, which cannot be restored into the database \(server.address). Restore "
                    + "it without --database and \(DatabaseServer.environmentVariable), and then copy it: graphd "
                    + "database copy \(destination) postgres://…")
        default: break
        }
    }

    private func databasePlace(_ manifest: BackupManifest, _ partial: PartialDirectory) throws -> any DatabasePlace {
        guard let server, case .postgreSQL(let version, let schema) = manifest.engine else {
            return FilePlace(directory: DataDirectory(path: partial.path))
        }
        return try ServerPlace(
            server, for: DataDirectory(path: partial.path, server: server), version: version, schema: schema,
            programs: programs)
    }

    /// Runs `body`; if it fails, leaves nothing of the database.
    private func undoing<T: Sendable>(
        _ database: any DatabasePlace, _ body: () async throws -> T
    ) async throws -> T {
        do { return try await body() } catch {
            do { try await BlockingThread.run { try database.undo() } } catch let other {
                throw CommandFailure(
                    "\(Self.shown(error)) What was restored into the database could not be removed: \(other). Nobody "
                        + "can serve it; the next restore into it will remove it.")
            }
            throw error
        }
    }

    private static func shown(_ error: any Error) -> String {
        (error as? DatabaseError).map { "\(CommandFailure($0, during: "restore"))" } ?? "\(error)"
    }

    private func restore(
        _ archive: BackupArchive, into database: any DatabasePlace, at partial: PartialDirectory, named place: NewPlace
    ) async throws -> TimelineVerifier.Report {
        try await BlockingThread.run {
            try archive.copyFiles(into: partial.path, database, keepsKeys: keepsKeys)
            try beforeVerification()
        }
        let (timelines, filled) = try await verify(database, since: archive.manifest.instant, files: partial.path)
        do {
            try await BlockingThread.run { try complete(partial, database, as: place.path) }
        } catch {
            await filled?.giveUp()
            throw error
        }
        return timelines
    }

    private func complete(_ partial: PartialDirectory, _ database: any DatabasePlace, as path: String) throws {
        try database.flush()
        try partial.complete(as: path)
        do { try database.release() } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    private func requireEmpty(_ place: NewPlace) throws {
        guard let status = FileStatus(place.path, followsLinks: false) else { return }
        guard status.mode & S_IFMT == S_IFDIR else {
            throw CommandFailure("\(place.path) exists and is not a directory. Name a new data directory.")
        }
        guard status.device == FileStatus(place.parent)?.device else { throw NewPlace.rootOfFileSystem(place.path) }
        guard try FileTransfer.names(in: place.path).isEmpty else {
            throw CommandFailure(
                "\(place.path) is not empty. A backup is restored into a new directory; move the old one away first, "
                    + "and keep it until the new one serves.")
        }
    }

    private func requireRoom(for manifest: BackupManifest, at place: NewPlace) throws {
        guard let free = DiskSpace.free(at: place.parent), free < manifest.bytes else { return }
        throw CommandFailure(
            "The disk of \(place.parent) is too full: the backup has \(manifest.bytes) bytes and \(free) are free. "
                + "Free space on it, or name a data directory on another disk.")
    }

    /// Opens the database, which brings its tables up to date, verifies all timelines, and fills the bucket if there is
    /// one.
    ///
    /// - Returns: the bucket if it is filled. After an error, it belongs to nobody.
    private func verify(
        _ place: any DatabasePlace, since instant: String, files: String
    ) async throws -> (timelines: TimelineVerifier.Report, filled: MediaBucket?) {
        let database = try await BlockingThread.run { try place.open() }
        let graph = GraphStore(database: database)
        var filled: MediaBucket?
        do {
            let restored = RestoredGraph(graph: graph)
            try await restored.leaveOriginal(since: instant)
            let report = try await RestoredTimelines(graph: graph).verify()
            guard report.isClean else {
                throw CommandFailure(
                    "\(report.drifted.count) of \(report.timelines) timelines differ from their definition: "
                        + "\(report.missing) entries missing, \(report.extra) extra, \(report.misordered) out of "
                        + "order. Nothing was restored.")
            }
            try await restored.forgetWindows()
            if let bucket {
                filled = try await RestoredBucket(access: bucket).fill(
                    from: "\(files)/\(BackupLayout.media)", of: graph)
            }
            try await BlockingThread.run { try database.close() }
            return (report, filled)
        } catch {
            await filled?.giveUp()
            try? await BlockingThread.run { try database.close() }
            throw error
        }
    }

    private func remove(_ partial: PartialDirectory) async {
        try? await BlockingThread.run { partial.remove() }
    }
}

/// The outcome of a restoration.
package struct RestoreSummary: Sendable {
    package let manifest: BackupManifest
    /// The absolute path of the data directory.
    package let destination: String
    package let timelines: TimelineVerifier.Report
}
