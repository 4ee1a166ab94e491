import Database
import GraphServices
import MediaJobs
import NIOCore
import SocialGraph
import Text

/// The parts that a form of an upload may have.
package struct UploadForm: Sendable {
    /// The required part with the file.
    package let file: String
    /// The optional part with a picture of the file.
    package let thumbnail: String
    /// Text parts; each may occur several times.
    var texts: Set<String> = []
    /// Text parts that make up lists. A form may also name them with brackets, as in `tags[]` or `tags[0]`.
    var lists: Set<String> = []
    /// True if other parts and a thumbnail without bytes are ignored; otherwise they are refused.
    var ignoresOthers = false
    /// True if a job examines a video after the answer; otherwise the request waits for it.
    var queuesVideos = false

    package init(
        file: String, thumbnail: String, texts: Set<String> = [], lists: Set<String> = [],
        ignoresOthers: Bool = false, queuesVideos: Bool = false
    ) {
        self.file = file
        self.thumbnail = thumbnail
        self.texts = texts
        self.lists = lists
        self.ignoresOthers = ignoresOthers
        self.queuesVideos = queuesVideos
    }

    /// Returns the field whose text a part holds; nil if it holds none.
    func textField(ofPart name: String) -> String? {
        if texts.contains(name) || lists.contains(name) { return name }
        guard name.hasSuffix("]"), let bracket = name.lastIndex(of: "[") else { return nil }
        let index = name[name.index(after: bracket)...].dropLast()
        guard index.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        let field = String(name[..<bracket])
        return lists.contains(field) ? field : nil
    }
}

/// The incoming body of an upload, and its description in the header.
package struct UploadBody<Chunks: AsyncIteratorProtocol> where Chunks.Element == ByteBuffer {
    /// Values of `Content-Type`; exactly one is valid.
    let contentTypes: [String]
    /// Number of bytes that the client has announced; nil if it has not.
    package let length: Int?
    /// The client's address.
    let address: AddressBlock
    package let chunks: Chunks

    package init(_ chunks: Chunks, contentTypes: [String], length: Int?, from address: AddressBlock) {
        self.chunks = chunks
        self.contentTypes = contentTypes
        self.length = length
        self.address = address
    }
}

/// Receives files: streamed to disk, judged by their content, and kept only once the whole request has arrived and is
/// valid.
package struct MediaUpload: Sendable {
    package let store: MediaService
    let examiner: RequestExaminer
    /// Time without a byte after which a sender is disconnected.
    package let pause: Duration
    let budgets: Budgets
    /// True if every node that serves the graph can read what this one stores.
    let isShared: @Sendable () -> Bool

    package init(
        store: MediaService, examiner: RequestExaminer, budgets: Budgets,
        pause: Duration = RequestLimits.uploadPause, isShared: @escaping @Sendable () -> Bool = { true }
    ) {
        self.budgets = budgets
        self.store = store
        self.examiner = examiner
        self.pause = pause
        self.isShared = isShared
    }

    /// Largest number of bytes of a whole body.
    var limit: Int { store.limits.video + store.limits.picture + RequestLimits.multipartOverhead }

    /// Reads a multipart/form-data request. File names and types from the client are ignored.
    ///
    /// - Parameters:
    ///   - onFingerprint: called with the digest of the form before anything is kept; nil: none is made.
    ///   - validate: checks the text of the form before anything is kept, and throws if it is invalid.
    /// - Throws: `Problem` 400 `malformed_multipart`, `missing_field`, `duplicate_field` and `unknown_field`, 409
    ///   `upload_quota_exceeded`, 413 `body_too_large`, 415 `unsupported_media_type`, 422 `unsupported_media`, 429
    ///   `rate_limited`, 503 `busy`, `media_not_shared` and `unavailable`, 507 `insufficient_storage`; the errors of
    ///   `validate`. Nothing is kept then.
    package func receive(
        _ body: UploadBody<some AsyncIteratorProtocol<ByteBuffer, any Error>>, owner: UserID, form: UploadForm,
        onFingerprint: (([UInt8]) -> Void)? = nil, validate: ([String: [String]]) throws -> Void = { _ in }
    ) async throws -> Upload {
        guard isShared() else { throw Problem.mediaNotShared }
        let slot = try budgets.slot(.uploads, for: .user(owner.rawValue), .address(body.address))
        defer { slot.release() }
        return try await receiveWhole(body, owner, form, onFingerprint, validate)
    }

    /// Stores a picture that arrived within another request.
    ///
    /// - Throws: `Problem` 413 `body_too_large`, 422 `unsupported_media`, 503 `media_not_shared` and `unavailable`, 507
    ///   `insufficient_storage`.
    func storePicture(_ bytes: [UInt8], owner: UserID, field: String) async throws -> Media {
        guard isShared() else { throw Problem.mediaNotShared }
        let reservation = try await store.quota.open(for: owner)
        defer { withExtendedLifetime(reservation) {} }
        let picture = try await store.receivePicture(
            ByteBuffer(bytes: bytes), field: field, for: .user(owner.rawValue), from: reservation)
        let kept = try await store.keep([picture], by: owner)
        reservation.apply()
        return kept[0]
    }

    private func receiveWhole(
        _ body: UploadBody<some AsyncIteratorProtocol<ByteBuffer, any Error>>, _ owner: UserID, _ form: UploadForm,
        _ onFingerprint: (([UInt8]) -> Void)?, _ validate: ([String: [String]]) throws -> Void
    ) async throws -> Upload {
        let boundary = try MultipartBoundary.require(in: body.contentTypes)
        if let length = body.length, length > limit {
            throw Problem(.bodyTooLarge, "The body may have at most \(limit) bytes.")
        }
        let reservation = try await store.quota.open(for: owner)
        defer { withExtendedLifetime(reservation) {} }
        if let length = body.length {
            // Before any of the body is read; the parts of the form beside its files are not counted.
            try reservation.check(bytes: max(length - RequestLimits.multipartOverhead, 0))
            try store.requireRoom(for: length)
        }
        var reader = MultipartReader(
            body.chunks, boundary: boundary, limit: limit, isFingerprinted: onFingerprint != nil)
        var parts = UploadedParts(form: form, holder: .user(owner.rawValue), reservation: reservation)
        do {
            try await parts.read(from: &reader, into: store)
            if let digest = reader.fingerprint() { onFingerprint?(digest) }
            guard let file = parts.file else {
                throw Problem(
                    .missingField, "The form must have a part \"\(form.file)\" with a file.", field: form.file)
            }
            try validate(parts.fields)
            let isExamined = file.type.kind == .video && !form.queuesVideos
            let properties = isExamined ? await examine(file, for: owner, &parts) : nil
            let job = file.type.kind == .video ? isExamined ? NewMediaJob.ready(properties) : .queued : nil
            let kept = try await store.keep(parts.files, by: owner, job)
            reservation.apply()
            return Upload(kept, properties: properties, fields: parts.fields)
        } catch {
            await store.discard(parts.files)
            throw error
        }
    }
}

extension MediaUpload {
    /// Reads the properties of a video, and adds a poster to `parts` unless the client has sent one.
    fileprivate func examine(
        _ file: IncomingFile, for owner: UserID, _ parts: inout UploadedParts
    ) async -> VideoProperties? {
        let found = await examiner.examine(
            file, drawsPoster: parts.thumbnail == nil, into: store, for: .user(owner.rawValue),
            from: parts.reservation)
        parts.thumbnail = parts.thumbnail ?? found.poster
        return found.properties
    }
}

/// The parts of a form read so far.
private struct UploadedParts {
    let form: UploadForm
    let holder: BudgetHolder
    let reservation: UploadQuota.Reservation
    var file: IncomingFile?
    var thumbnail: IncomingFile?
    private(set) var fields: [String: [String]] = [:]
    private var textBytes = 0

    init(form: UploadForm, holder: BudgetHolder, reservation: UploadQuota.Reservation) {
        (self.form, self.holder, self.reservation) = (form, holder, reservation)
    }

    /// The file, then the thumbnail.
    var files: [IncomingFile] { [file, thumbnail].compactMap(\.self) }

    mutating func read<Chunks>(
        from reader: inout MultipartReader<Chunks>, into store: MediaService
    ) async throws {
        while let part = try await reader.nextPart() {
            switch part.name {
            case form.file:
                guard file == nil else { throw Self.repeated(part.name) }
                file = try await store.receive(field: part.name, for: holder, from: reservation) {
                    try await reader.nextPiece()
                }
            case form.thumbnail:
                guard thumbnail == nil else { throw Self.repeated(part.name) }
                var first = try await reader.nextPiece()
                if first == nil, form.ignoresOthers { continue }
                thumbnail = try await store.receive(
                    field: part.name, only: .picture, for: holder, from: reservation
                ) {
                    if let piece = first.take() { return piece }
                    return try await reader.nextPiece()
                }
            default:
                if let field = form.textField(ofPart: part.name) {
                    fields[field, default: []].append(try await text(of: field, from: &reader))
                    continue
                }
                guard form.ignoresOthers else {
                    throw Problem(
                        .unknownField, "Unknown part \"\(part.name.echoed)\".", field: part.name.echoed)
                }
            }
        }
    }

    private mutating func text<Chunks>(
        of name: String, from reader: inout MultipartReader<Chunks>
    ) async throws -> String {
        let bytes = try await reader.collectPart(upTo: RequestLimits.multipartTextBytes - textBytes, field: name)
        textBytes += bytes.count
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Problem(.invalidValue, "\"\(name)\" must be UTF-8 without NUL characters.", field: name)
        }
        guard StreamSafeText.holds(bytes) else {
            throw Problem(.invalidValue, "\"\(name)\" is not valid: \(StreamSafeText.rule).", field: name)
        }
        return text
    }

    private static func repeated(_ name: String) -> Problem {
        Problem(.duplicateField, "The form may have only one part \"\(name)\".", field: name)
    }
}
