import Backup
import CommandSupport
import Database
import Foundation
import GraphServices
import Logging
import MediaFiles
import ObjectStorage
import ServiceLifecycle
import SocialGraph

/// The files of a server and the bucket that holds them, if one does.
struct ServedMedia {
    let service: MediaService
    let bucket: MediaBucket?
    /// The programs that examine videos; nil if they are not installed.
    let tools: VideoTools?

    var problems: @Sendable () -> [ReadinessProblem] {
        { [bucket] in bucket?.problems ?? [] }
    }
}

/// The part of a server that opens its files.
struct MediaOpening {
    /// Number of the newest files that must be at a place before it is used.
    private static let sample = 20

    let configuration: ServerConfiguration
    /// This process among the servers of the graph.
    let node: ServingNode
    let logger: Logger

    /// Returns the stored files of the directory or of the bucket, without the unfinished files of a killed process.
    ///
    /// - Throws: ``CommandFailure`` if they cannot be used, or if they are not where the server looks for them.
    func open(_ directory: DataDirectory, _ graph: GraphStore) async throws -> ServedMedia {
        let space = UploadSpace(reserve: Int64(configuration.diskReserve)) { DiskSpace.free(at: directory.path) }
        let quota = MediaQuota(bytes: Int64(configuration.uploadQuota), files: Int64(configuration.uploadFiles))
        let limits = MediaService.Limits(video: configuration.maxUpload)
        let work = MediaService.fileWork()
        do {
            let spool = try Spool(in: directory.media, space: space)
            var bucket: MediaBucket?
            if let access = configuration.media { bucket = try await self.bucket(access, graph, work) }
            let storage: any FileStorage =
                bucket
                ?? DirectoryStorage(directory: MediaDirectory(at: directory.media), work: work) {
                    try await MediaPlace.graphName(in: graph)
                }
            try await use(storage, of: graph)
            let service = MediaService(
                storage: storage, spool: spool, work: work, graph: graph, limits: limits, quota: quota, logger: logger)
            let tools = VideoTools.find(inPath: ProcessInfo.processInfo.environment["PATH"])
            return ServedMedia(service: service, bucket: bucket, tools: tools)
        } catch let failure as FileFailure {
            throw CommandFailure("The directory \(directory.media) cannot be used: \(failure)")
        }
    }

    /// Returns the bucket. One that cannot be reached now is asked again later; one of another graph is refused.
    private func bucket(_ access: BucketAccess, _ graph: GraphStore, _ work: BoundedWork) async throws -> MediaBucket {
        let metrics = BucketRequestMetrics()
        let store = ObjectStore(access.address, access.credentials, observe: { metrics.count($0, $1) })
        let bucket = MediaBucket(store, of: try await MediaPlace.graphName(in: graph), work: work)
        do {
            try await bucket.confirm()
        } catch BucketFailure.foreign {
            throw CommandFailure(
                "\(access.address) holds the files of another graph. Name another bucket or prefix with "
                    + "\(Setting.media.flag). If no other graph uses it any more, delete the object "
                    + "\(access.address.prefix)\(MediaBucket.ownerName) in it.")
        } catch let failure as BucketFailure {
            logger.warning(
                "the store of files does not answer", metadata: [LogKeys.reason: "\(failure)"])
        }
        return bucket
    }

    /// Stores the place of the files with the data. All nodes must have the same, and a new one must have the newest
    /// files.
    private func use(_ storage: any FileStorage, of graph: GraphStore) async throws {
        let place = configuration.mediaPlace
        let stored = try await first(place, in: graph)
        guard stored != place else { return }
        let former = stored ?? MediaPlace.directory
        if former != place {
            let others = try await NodeStore(database: graph.database).livingShared(except: node.id)
            guard others.isEmpty else {
                throw CommandFailure(
                    "The nodes that serve the database (\(others.names)) have \(Setting.media.flag) \(former), and "
                        + "this one has \(place). Give it their value, or stop them first.")
            }
            try await requireNewest(at: storage, of: graph, former: former)
            logger.notice("files are at another place now", metadata: [LogKeys.file: "\(place)"])
        }
        try await graph.settings.store(place, as: MediaPlace.setting)
    }

    /// Stores `place` for a graph without files that has none, of the nodes that start together the first. Returns the
    /// stored place; nil for a graph whose files were never elsewhere than in the directory.
    private func first(_ place: String, in graph: GraphStore) async throws -> String? {
        try await graph.database.write { transaction in
            if let stored = try SettingStore.Reader(transaction).setting(MediaPlace.setting) { return stored }
            guard try FileRows(transaction).newest(1).isEmpty else { return nil }
            try SettingStore.Writer(transaction).store(place, as: MediaPlace.setting)
            return place
        }
    }

    private func requireNewest(at storage: any FileStorage, of graph: GraphStore, former: String) async throws {
        let place = configuration.mediaPlace
        let newest = try await graph.database.read { try FileRows($0).newest(Self.sample) }
        var missing = 0
        do {
            for file in newest where try await !storage.has(file) { missing += 1 }
        } catch let failure as any StorageFailure {
            throw CommandFailure("\(place) cannot be used: \(failure).")
        }
        guard missing == 0 else {
            throw CommandFailure(
                "The files of this graph were served from \(former), and \(missing) of the newest \(newest.count) are "
                    + "not at \(place). Copy them first: graphd media copy")
        }
    }
}

extension ServedMedia {
    /// Returns the services that keep the files. The sweep of a bucket is for one node.
    func services(
        _ graph: GraphStore, _ entry: NodeEntry, _ clock: SteadyClock, _ logger: Logger
    ) -> (everywhere: [any Service], upkeep: [any Service]) {
        let sweeper = MediaSweeper(
            store: service, graph: graph, logger: logger, requireCurrent: entry.membership.requireCurrent,
            now: clock.expiry)
        let jobs = MediaJobService(
            graph: graph, store: service, tools: tools, worker: entry.membership.node.id, nodes: entry.nodes,
            logger: logger, now: clock.now)
        guard let bucket else { return ([sweeper, jobs], []) }
        return ([BucketWatch(bucket, logger: logger), jobs], [sweeper])
    }
}
