import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph

/// The bucket that receives the files of a restored graph.
struct RestoredBucket: Sendable {
    private static let filesAtOnce = 64

    let access: BucketAccess

    /// Refuses a bucket with the files of another graph, before anything is restored.
    ///
    /// - Throws: ``CommandFailure``.
    func requireFree() async throws {
        let store = ObjectStore(access.address, access.credentials)
        let owner: [UInt8]?
        do {
            owner = try await store.content(of: access.address.prefix + MediaBucket.ownerName, upTo: 1_024)
        } catch {
            throw CommandFailure("\(access.address) cannot be used: \(error).")
        }
        guard owner == nil else {
            throw CommandFailure(
                "\(access.address) holds the files of a graph. Name another bucket or prefix. If nobody serves that "
                    + "graph any more, delete the object \(access.address.prefix)\(MediaBucket.ownerName) in it.")
        }
    }

    /// Moves the verified files of a data directory into the bucket, which is the graph's from then on.
    ///
    /// - Parameter media: the directory of the files.
    /// - Returns: the bucket, which the caller gives up if the restoration fails later.
    /// - Throws: ``CommandFailure``. The bucket belongs to nobody then; files that are in it already may stay.
    func fill(from media: String, of graph: GraphStore) async throws -> MediaBucket {
        let bucket = try await MediaEnd.open(access, for: graph)
        do {
            var last = MediaID(rawValue: 0)
            while true {
                let page = try await graph.database.read { [last] in
                    try FileRows($0).files(above: last, limit: Self.filesAtOnce)
                }
                guard let end = page.last else { break }
                try await bucket.put(page.compactMap { spooled($0, in: media) }, for: .server)
                last = end.id
            }
            try await graph.settings.store("\(access.address)", as: MediaPlace.setting)
            return bucket
        } catch {
            await bucket.giveUp()
            guard let failure = error as? any StorageFailure else { throw error }
            throw CommandFailure("\(access.address) cannot be used: \(failure).")
        }
    }

    /// Nil for a file that the backup is known to lack.
    private func spooled(_ file: FileDescription, in media: String) -> SpooledFile? {
        let path = MediaDirectory(at: media).place(of: file.id, named: file.fileName).path
        return Foundation.access(path, F_OK) == 0 ? SpooledFile(path: path, description: file) : nil
    }
}
