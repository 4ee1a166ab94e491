import CommandSupport
import Database
import Foundation
import GraphServices
import SocialGraph
import Timeline

/// Restores a backup into a new data directory.
package struct RestoreJob: Sendable {
    package let source: String
    package let destination: String
    /// False leaves out the keys that sign tokens: for a copy that does not replace its original.
    package var keepsKeys = true

    package init(from source: String, to destination: String) {
        self.source = source
        self.destination = destination
    }

    /// Copies the backup under a temporary name, checks files, database and timelines, and gives the directory its
    /// name.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``, ``DamagedFile``, `RedisError`. Then there is nothing new at the
    ///   destination.
    package func run() async throws -> RestoreSummary {
        do { return try await make() } catch let error as DatabaseError {
            throw CommandFailure(error, during: "restore")
        }
    }

    private func make() async throws -> RestoreSummary {
        let (archive, place, partial) = try await BlockingThread.run { try self.begin() }
        do {
            try await BlockingThread.run { try archive.copyFiles(into: partial.path, keepsKeys: keepsKeys) }
            let timelines = try await verify(DataDirectory(path: partial.path), since: archive.manifest.instant)
            try await BlockingThread.run {
                try Flush.file(partial.path + "/" + BackupLayout.database)
                try partial.complete(as: place.path)
            }
            return RestoreSummary(manifest: archive.manifest, destination: place.path, timelines: timelines)
        } catch {
            await remove(partial)
            throw error
        }
    }

    private func begin() throws -> (BackupArchive, NewPlace, PartialDirectory) {
        let archive = try BackupArchive(source)
        let place = try NewPlace(destination)
        try requireEmpty(place)
        try requireRoom(for: archive.manifest, at: place)
        return (archive, place, try PartialDirectory.create(in: place.parent))
    }

    private func requireEmpty(_ place: NewPlace) throws {
        guard let status = FileStatus(place.path, followsLinks: false) else { return }
        guard status.mode & S_IFMT == S_IFDIR else {
            throw CommandFailure("\(place.path) exists and is not a directory. Name a new data directory.")
        }
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

    /// Opens the database, which brings its tables up to date, and verifies all timelines.
    private func verify(
        _ directory: DataDirectory, since instant: String
    ) async throws -> TimelineVerifier.Report {
        let database = try await BlockingThread.run { try directory.openDatabase() }
        let graph = GraphStore(database: database)
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
            try await BlockingThread.run { try database.close() }
            return report
        } catch {
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
