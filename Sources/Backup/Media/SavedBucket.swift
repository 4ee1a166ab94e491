import CommandSupport
import Database
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph

/// The bucket with the files of a graph that is saved.
enum SavedBucket {
    /// Opens the bucket without writing to the graph or to the bucket; nil if the files are in the data directory.
    ///
    /// - Throws: ``CommandFailure`` if the files are elsewhere than named, or the bucket cannot be used.
    static func open(_ access: BucketAccess?, _ source: any BackupSource) throws -> MediaBucket? {
        let (graph, place) = try source.read { reader in
            let settings = SettingStore.Reader(reader)
            return (try settings.setting(MediaBucket.graphSetting), try settings.setting(MediaPlace.setting))
        }
        let known = place ?? MediaPlace.directory
        guard let access else {
            guard known == MediaPlace.directory else {
                throw CommandFailure(
                    "The files of this graph are in \(known). Name it with --media or "
                        + "\(BucketAccess.environmentVariable).")
            }
            return nil
        }
        guard let graph, known == "\(access.address)" else {
            throw CommandFailure("The files of this graph are not in \(access.address), but in \(known).")
        }
        let bucket = MediaBucket(
            ObjectStore(access.address, access.credentials), of: graph, work: MediaService.fileWork())
        do {
            try Waiting.run { try await bucket.confirm() }
        } catch let failure as BucketFailure {
            throw CommandFailure("\(access.address) cannot be used: \(failure).")
        }
        return bucket
    }
}
