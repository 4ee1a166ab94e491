import Coordination
import Database
import Foundation
import GraphServices
import Logging
import MediaJobs
import NIOCore
import SocialGraph

/// The files of uploads and their rows. Bytes are on disk under the final name before the row is committed, and the row
/// is deleted before the file is removed, so that every file with a row can be read. Files without a row are orphans
/// and are swept.
///
/// Every call of the file system is made on its own threads: a slow disk delays files only.
package final class MediaService: Sendable {
    /// Threads that call the file system.
    static let threads = 4
    /// Calls that may wait for a thread. A transfer makes one at a time, so there is room for all transfers, and for as
    /// many other calls.
    static let callsWaiting = 2 * (RequestLimits.uploads + RequestLimits.downloads)

    /// The largest length of a file of each kind, in bytes.
    package struct Limits: Sendable {
        package var video = RequestLimits.videoBytes
        package var picture = RequestLimits.pictureBytes

        package init(video: Int = RequestLimits.videoBytes, picture: Int = RequestLimits.pictureBytes) {
            self.video = video
            self.picture = picture
        }

        package func bytes(_ kind: MediaType.Kind) -> Int {
            switch kind {
            case .video: video
            case .picture: picture
            }
        }
    }

    package let limits: Limits
    let quota: UploadQuota
    package let storage: any FileStorage
    private let spool: Spool
    private let graph: GraphStore
    private let logger: Logger
    private let work: BoundedWork
    /// Signalled when a job was queued.
    let newJobs = Wakeup()

    /// - Parameters:
    ///   - storage: the place of stored files.
    ///   - spool: the place of files until they are stored.
    ///   - work: the threads that call the file system.
    package init(
        storage: any FileStorage, spool: Spool, work: BoundedWork, graph: GraphStore, limits: Limits = Limits(),
        quota: MediaQuota = RequestLimits.mediaQuota, logger: Logger
    ) {
        self.storage = storage
        self.spool = spool
        self.work = work
        self.graph = graph
        self.limits = limits
        self.quota = UploadQuota(limit: quota, graph: graph)
        self.logger = logger
    }

    /// Stores files in a directory, in whose file system the spool is.
    package convenience init(
        directory: MediaDirectory, spool: Spool, graph: GraphStore, limits: Limits = Limits(),
        quota: MediaQuota = RequestLimits.mediaQuota, logger: Logger
    ) {
        let work = Self.fileWork()
        self.init(
            storage: DirectoryStorage(directory: directory, work: work), spool: spool, work: work, graph: graph,
            limits: limits, quota: quota, logger: logger)
    }

    /// Returns threads for calls of the file system.
    package static func fileWork() -> BoundedWork {
        BoundedWork(label: "graphd.media", concurrent: threads, waiting: callsWaiting, isCancellable: false)
    }

    /// Receives a file in the pieces that `next` returns. Its kind is judged by its first bytes; only `kind` is
    /// accepted, if one is given. The metadata of a picture is removed. Bytes are taken from `reservation` before they
    /// are written. The file is temporary until ``keep(_:by:)`` or ``discard(_:)``.
    ///
    /// - Throws: ``GraphError/uploadQuotaExceeded(_:)``; `Problem` 422 `unsupported_media`, 413 `body_too_large`, 507
    ///   `insufficient_storage`, 503 `unavailable`; the errors of `next`. Nothing is left behind then.
    package func receive(
        field: String, only kind: MediaType.Kind? = nil, for holder: BudgetHolder,
        from reservation: UploadQuota.Reservation? = nil, next: () async throws -> ByteBuffer?
    ) async throws -> IncomingFile {
        var head = ByteBuffer()
        while head.readableBytes < MediaType.leadingBytes, let piece = try await next() {
            head.writeImmutableBuffer(piece)
        }
        guard let type = MediaType(leadingBytes: head.readableBytesView), kind == nil || type.kind == kind else {
            let expected = kind == .picture ? MediaType.expectedPicture : MediaType.expected
            throw Problem(
                .unsupportedMedia, "\"\(field)\" must be \(expected), judged by its first bytes.", field: field)
        }
        try reservation?.take(bytes: 0, files: 1)
        return try await answeringFileFailures {
            let file = try await IncomingFile.create(in: spool, type: type, work: work, for: holder)
            do {
                var intake = PictureIntake(type, field: field)
                try await append(head, to: file, &intake, field, reservation)
                while let piece = try await next() { try await append(piece, to: file, &intake, field, reservation) }
                try intake.finish()
                try await file.finish()
                return file
            } catch {
                await file.discard()
                throw error
            }
        }
    }

    private func append(
        _ piece: ByteBuffer, to file: IncomingFile, _ intake: inout PictureIntake, _ field: String,
        _ reservation: UploadQuota.Reservation?
    ) async throws {
        let limit = limits.bytes(file.type.kind)
        guard intake.bytes + piece.readableBytes <= limit else {
            let kind = file.type.kind == .video ? "video" : "picture"
            throw Problem(.bodyTooLarge, "A \(kind) may have at most \(limit) bytes.", field: field)
        }
        let kept = try intake.kept(of: piece)
        try reservation?.take(bytes: kept.readableBytes)
        try await file.append(kept)
    }

    /// Moves received files to their places and inserts their rows: all of them, or none.
    ///
    /// - Parameter job: the job of the first file; nil if it has none.
    /// - Throws: `Problem` 507 `insufficient_storage`, 503 `unavailable`; `GraphError`, also if they exceed the quota
    ///   of
    ///   `owner`.
    func keep(_ files: [IncomingFile], by owner: UserID, _ job: NewMediaJob? = nil) async throws -> [Media] {
        var placed: [NewMedia] = []
        do {
            let ids = try await graph.media.reserveMediaIDs(files.count)
            placed = zip(ids, files).map { NewMedia($0, $1) }
            let kept = try await answeringFileFailures {
                try await put(files, as: placed, for: owner)
                guard let job else {
                    return try await graph.media.storeMedia(placed, by: owner, within: quota.limit)
                }
                return try await graph.mediaJobs.store(placed, by: owner, within: quota.limit, job)
            }
            if case .queued? = job { newJobs.signal() }
            return kept
        } catch {
            await removeUnlessStored(placed)
            await discard(files)
            throw error
        }
    }

    private func put(_ files: [IncomingFile], as placed: [NewMedia], for owner: UserID) async throws {
        try await storage.put(
            zip(files, placed).map { SpooledFile(path: $0.path, description: FileDescription($1)) },
            for: .user(owner.rawValue))
    }

    /// Moves a received file to its place. Its row is the caller's to insert; without one, the file is swept.
    func place(_ file: IncomingFile, for owner: UserID) async throws -> NewMedia {
        do {
            let id = try await graph.media.reserveMediaIDs(1)[0]
            let placed = NewMedia(id, file)
            try await put([file], as: [placed], for: owner)
            return placed
        } catch {
            await file.discard()
            throw error
        }
    }

    /// Passes `body` the path of a stored file on this machine, where it is copied if it is elsewhere.
    ///
    /// - Throws: as ``open(_:_:for:)``; `Problem` 507 `insufficient_storage`; the errors of `body`.
    func withLocalFile<Value>(of media: Media, _ body: (String) async throws -> Value) async throws -> Value {
        // Also makes sure that the file is whole.
        let content = try await open(media, FileDescription(media).whole, for: .server)
        if let path = storage.localPath(of: FileDescription(media)) { return try await body(path) }
        guard let type = MediaType(contentType: media.contentType) else { throw GraphError.mediaNotFound }
        try requireRoom(for: Int(media.bytes))
        let copy = try await IncomingFile.create(in: spool, type: type, work: work, for: .server)
        do {
            try await content.forEachPiece { try await copy.append($0) }
            try await copy.finish()
            guard copy.sha256 == media.sha256 else { throw FileFailure("read", number: EIO) }
            let value = try await body(copy.path)
            await copy.discard()
            return value
        } catch {
            await copy.discard()
            throw error
        }
    }

    /// Runs `body`, which may make a file at `path`, and removes the file afterwards.
    func withTemporary<Value>(_ path: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await removeTemporary(path)
            return value
        } catch {
            await removeTemporary(path)
            throw error
        }
    }

    /// Removes files unless their rows exist. A failed commit may be on disk all the same: if that is unknown now, the
    /// sweep decides.
    private func removeUnlessStored(_ files: [NewMedia]) async {
        for file in files {
            do {
                if try await graph.media.media(file.id) == nil { try await remove(file.id, named: file.fileName) }
            } catch {
                logger.warning(
                    "a file cannot be removed now; the sweep will remove it", metadata: [LogKeys.error: "\(error)"])
            }
        }
    }

    /// Checks that the disk has room for an upload of so many bytes.
    ///
    /// - Throws: `Problem` 507 `insufficient_storage`.
    func requireRoom(for bytes: Int) throws {
        guard spool.space.hasRoom(for: Int64(bytes)) else { throw FileFailure("reserve", number: ENOSPC).problem }
    }

    /// Removes received files that are not to be kept.
    func discard(_ files: [IncomingFile]) async {
        for file in files { await file.discard() }
    }

    /// Removes a file whose row is gone.
    package func remove(_ id: MediaID, named fileName: String) async throws {
        try await storage.remove([storage.place(of: id, named: fileName)])
    }

    /// Opens bytes of a file; with an empty range, only makes sure that it can be read.
    ///
    /// - Throws: `Problem` 503 `unavailable`; ``GraphError/mediaNotFound`` if the file is missing or incomplete.
    package func open(
        _ media: Media, _ range: Range<Int64>, for holder: BudgetHolder
    ) async throws -> any FileContent {
        try await answeringFileFailures {
            do {
                return try await storage.open(FileDescription(media), range, for: holder)
            } catch let fault as StoredFileFault {
                let message: Logger.Message =
                    fault == .missing ? "a stored file is missing" : "a stored file has changed its length"
                logger.error(message, metadata: [LogKeys.file: "\(media.fileName)"])
                throw GraphError.mediaNotFound
            }
        }
    }

    /// Returns a link by which the client gets the file from elsewhere; nil: it is sent by ``open(_:_:for:)``.
    package func link(to media: Media, method: String) -> String? {
        storage.link(to: FileDescription(media), method: method)
    }

    /// The path of a temporary file, for an external program that reads or writes it.
    var temporaryPath: String { spool.newPath() }

    /// Receives a picture that another program has written to a temporary path.
    ///
    /// - Throws: as ``receive(field:only:next:)``.
    func receivePicture(
        at path: String, field: String, for holder: BudgetHolder, from reservation: UploadQuota.Reservation? = nil
    ) async throws -> IncomingFile {
        let limit = limits.picture + 1
        let content = try await answeringFileFailures {
            try await work.run(for: holder) { try StoredFile(path: path).read(from: 0, count: limit) }
        }
        return try await receivePicture(content, field: field, for: holder, from: reservation)
    }

    func removeTemporary(_ path: String) async {
        try? await work.run(for: .server) { try Spool.remove(path) }
    }

    /// Receives a picture that is in memory.
    ///
    /// - Throws: as ``receive(field:only:next:)``.
    func receivePicture(
        _ content: ByteBuffer, field: String, for holder: BudgetHolder,
        from reservation: UploadQuota.Reservation? = nil
    ) async throws -> IncomingFile {
        var rest: ByteBuffer? = content
        return try await receive(field: field, only: .picture, for: holder, from: reservation) {
            defer { rest = nil }
            return rest
        }
    }

    /// Removes orphans from one page of all stored files: files that have no row and will get none, left by a killed
    /// process. Returns their number, and the cursor of the next page; nil after the last.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970. A file whose id was reserved later may be an upload in progress, of any
    ///     process.
    ///   - requireCurrent: throws if the rows that were read may lack some of another node.
    func removeStrays(
        at cursor: String?, reservedBefore time: Int64, _ requireCurrent: () throws -> Void
    ) async throws -> (removed: Int, next: String?) {
        let page = try await storage.files(at: cursor)
        let old = page.files.filter { IDSequence.milliseconds(of: $0.id.rawValue) < time }
        let known = try await graph.media.fileNames(of: old.map(\.id))
        let strays = old.filter { !known.contains($0.fileName) }
        if !strays.isEmpty {
            try requireCurrent()
            try await storage.remove(strays.map(\.place))
        }
        return (strays.count, page.next)
    }

    /// Turns failures of the storage into problems for the client.
    private func answeringFileFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as any StorageFailure {
            throw failure.problem
        }
    }
}

extension NewMedia {
    fileprivate init(_ id: MediaID, _ file: IncomingFile) {
        self.init(
            id: id, contentType: file.type.contentType, fileName: "\(id.rawValue).\(file.type.fileExtension)",
            bytes: file.bytes, sha256: file.sha256)
    }
}
