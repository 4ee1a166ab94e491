import Database
import Foundation
import Logging
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
    private let directory: MediaDirectory
    private let graph: GraphStore
    private let logger: Logger
    private let work: BoundedWork

    package init(
        directory: MediaDirectory, graph: GraphStore, limits: Limits = Limits(),
        quota: MediaQuota = RequestLimits.mediaQuota, logger: Logger
    ) {
        self.directory = directory
        self.graph = graph
        self.limits = limits
        self.quota = UploadQuota(limit: quota, graph: graph)
        self.logger = logger
        work = BoundedWork(
            label: "graphd.media", concurrent: Self.threads, waiting: Self.callsWaiting,
            isCancellable: false)
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
            let file = try await IncomingFile.create(in: directory, type: type, work: work, for: holder)
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
    /// - Throws: `Problem` 507 `insufficient_storage`, 503 `unavailable`; `GraphError`, also if they exceed the quota
    ///   of
    ///   `owner`.
    func keep(_ files: [IncomingFile], by owner: UserID) async throws -> [Media] {
        var placed: [NewMedia] = []
        do {
            let ids = try await graph.media.reserveMediaIDs(files.count)
            placed = zip(ids, files).map { NewMedia($0, $1) }
            return try await answeringFileFailures {
                try await place(files, as: placed, for: .user(owner.rawValue))
                return try await graph.media.storeMedia(placed, by: owner, within: quota.limit)
            }
        } catch {
            await removeUnlessStored(placed)
            await discard(files)
            throw error
        }
    }

    private func place(
        _ files: [IncomingFile], as placed: [NewMedia], for holder: BudgetHolder
    ) async throws {
        let moves = zip(files, placed).map { (from: $0.path, to: directory.place(of: $1.id, named: $1.fileName)) }
        try await work.run(for: holder) { [directory] in
            for move in moves { try directory.move(move.from, to: move.to) }
            for folder in Set(moves.map(\.to.folder)) { try directory.flush(folder) }
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
        guard directory.space.hasRoom(for: Int64(bytes)) else { throw FileFailure("reserve", number: ENOSPC).problem }
    }

    /// Removes received files that are not to be kept.
    func discard(_ files: [IncomingFile]) async {
        for file in files { await file.discard() }
    }

    /// Removes a file whose row is gone.
    package func remove(_ id: MediaID, named fileName: String) async throws {
        try await work.run(for: .server) { [directory] in try directory.remove(id, named: fileName) }
    }

    /// - Throws: `Problem` 503 `unavailable`; ``GraphError/mediaNotFound`` if the file is missing or incomplete.
    package func open(_ media: Media, for holder: BudgetHolder) async throws -> StoredFile {
        let path = directory.place(of: media.id, named: media.fileName).path
        let file = try await answeringFileFailures {
            do {
                return try await work.run(for: holder) { try StoredFile(path: path) }
            } catch let failure as FileFailure where failure.number == ENOENT {
                logger.error("a stored file is missing", metadata: [LogKeys.file: "\(media.fileName)"])
                throw GraphError.mediaNotFound
            }
        }
        guard file.bytes == media.bytes else {
            logger.error("a stored file has changed its length", metadata: [LogKeys.file: "\(media.fileName)"])
            throw GraphError.mediaNotFound
        }
        return file
    }

    /// - Throws: ``FileFailure``.
    package func read(
        _ file: StoredFile, from start: Int64, count: Int, for holder: BudgetHolder
    ) async throws -> ByteBuffer {
        try await work.run(for: holder) { try file.read(from: start, count: count) }
    }

    /// The path of a temporary file, for an external program that reads or writes it.
    var temporaryPath: String { directory.incoming + "/" + UUID().uuidString.lowercased() }

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
        try? await work.run(for: .server) { try MediaDirectory.remove(path) }
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

    /// Removes orphans from one of the 256 folders: files that have no row and will get none, left by a killed process.
    /// Returns their number.
    ///
    /// - Parameter time: milliseconds since 1970. A file whose id was reserved later may be an upload in progress, of
    ///   any
    ///   process.
    func removeStrays(inFolder number: Int, reservedBefore time: Int64) async throws -> Int {
        let found = try await work.run(for: .server) { [directory] in try directory.files(inFolder: number) }
        let old = found.compactMap { file in MediaFileName.id(in: file.name).map { (id: $0, file: file) } }
            .filter { IDSequence.milliseconds(of: $0.id.rawValue) < time }
        let known = try await graph.media.fileNames(of: old.map(\.id))
        let strays = old.map(\.file).filter { !known.contains($0.name) }
        if !strays.isEmpty {
            try await work.run(for: .server) { for stray in strays { try MediaDirectory.remove(stray.path) } }
        }
        return strays.count
    }

    /// Turns failures of the file system into problems for the client.
    private func answeringFileFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as FileFailure {
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
