import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph

/// A place of files that a command uses: the directory `media` of a data directory, or a bucket.
package enum MediaEnd: Sendable, Equatable {
    case directory(String)
    case bucket(BucketAccess)

    /// - Parameter text: the path of a data directory, or the address of a bucket.
    /// - Throws: ``CommandFailure``.
    package init(
        parsing text: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        guard text.contains("://") else {
            self = .directory(text + "/" + BackupLayout.media)
            return
        }
        self = .bucket(try Self.bucket(of: text, environment: environment))
    }

    /// Returns the bucket that an argument names, else the environment; nil if neither does.
    ///
    /// - Throws: ``CommandFailure``.
    package static func bucket(
        named argument: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> BucketAccess? {
        let named = environment[BucketAccess.environmentVariable].flatMap { $0.isEmpty ? nil : $0 }
        return try (argument ?? named).map { try bucket(of: $0, environment: environment) }
    }

    /// Returns the bucket of an address.
    ///
    /// - Throws: ``CommandFailure``.
    package static func bucket(
        of text: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> BucketAccess {
        do {
            return try BucketAccess(parsing: text, environment: environment)
        } catch let malformed as BucketAddress.Malformed {
            throw CommandFailure("The address of a bucket \(malformed.description).")
        } catch let unusable as ServiceCredentials.Unusable {
            throw CommandFailure("The bucket cannot be used: \(unusable.description).")
        }
    }

    /// Opens the place for a graph.
    ///
    /// - Parameter isTarget: the data directory may be a new one. Only the last part of its path is created.
    /// - Throws: ``CommandFailure`` if there is no such directory, or if the place belongs to another graph or does not
    ///   answer.
    package func open(for graph: GraphStore, isTarget: Bool) async throws -> any FileStorage {
        let work = MediaService.fileWork()
        switch self {
        case .directory(let path):
            let directory = (path as NSString).deletingLastPathComponent
            if isTarget { try FileTransfer.makeDirectory(directory) }
            guard FileManager.default.fileExists(atPath: directory) else {
                throw CommandFailure("There is no directory \(directory). Name the data directory that has the files.")
            }
            try FileTransfer.makeDirectory(path)
            return DirectoryStorage(directory: MediaDirectory(at: path), work: work)
        case .bucket(let access):
            return try await Self.open(access, for: graph, work)
        }
    }

    /// Opens a bucket for a graph, and takes it if it belongs to nobody.
    ///
    /// - Throws: as ``open(for:isTarget:)``.
    package static func open(
        _ access: BucketAccess, for graph: GraphStore, _ work: BoundedWork = MediaService.fileWork()
    ) async throws -> MediaBucket {
        let bucket = MediaBucket(
            ObjectStore(access.address, access.credentials), of: try await MediaPlace.graphName(in: graph), work: work)
        do {
            try await bucket.confirm()
            return bucket
        } catch BucketFailure.foreign {
            throw CommandFailure(
                "\(access.address) holds the files of another graph. Name another bucket or prefix. If no other graph "
                    + "uses it any more, delete the object \(access.address.prefix)\(MediaBucket.ownerName) in it.")
        } catch let failure as BucketFailure {
            throw CommandFailure("\(access.address) cannot be used: \(failure).")
        }
    }
}
