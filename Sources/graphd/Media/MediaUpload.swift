import Hummingbird
import NIOCore
import SocialGraph

/// Which parts a form of an upload may have.
struct UploadForm: Sendable {
    /// The part that is the file, which must be there.
    let file: String
    /// The part that is a picture of it, which may be there.
    let thumbnail: String
    /// Parts that are text; each may come several times.
    var texts: Set<String> = []
    /// Other parts are ignored; else they are refused.
    var ignoresOthers = false
}

/// What came of an upload.
struct Upload: Sendable {
    let file: Media
    /// As it was sent or, of a video, made; nil: neither.
    let thumbnail: Media?
    /// The text of the form, by part, in the order in which it came.
    let fields: [String: [String]]
}

/// Takes files in: streamed to disk, judged by their content, kept only once the whole request has come and is right.
struct MediaUpload: Sendable {
    let store: MediaService
    let thumbnailer: Thumbnailer
    /// After so long without a byte, the connection of a sender is closed.
    private let pause: Duration
    private let budgets: Budgets

    init(
        store: MediaService, thumbnailer: Thumbnailer, budgets: Budgets,
        pause: Duration = RequestLimits.uploadPause
    ) {
        self.budgets = budgets
        self.store = store
        self.thumbnailer = thumbnailer
        self.pause = pause
    }

    /// Reads a multipart/form-data request. What the client calls its files, and says that they are, is not looked at.
    ///
    /// - Parameter validate: is given the text of the form before anything is kept, and throws what is wrong with it.
    /// - Throws: `Problem` 400 `malformed_multipart`, `missing_field`, `duplicate_field` and `unknown_field`, 409
    ///   `upload_quota_exceeded`, 413 `body_too_large`, 415 `unsupported_media_type`, 422 `unsupported_media`, 429
    ///   `rate_limited`, 503 `busy` and `unavailable`, 507 `insufficient_storage`; what `validate` throws. Nothing is
    ///   kept then.
    func receive(
        _ request: Request, _ context: GraphRequestContext, owner: UserID, form: UploadForm,
        validate: ([String: [String]]) throws -> Void = { _ in }
    ) async throws -> Upload {
        do {
            let slot = try budgets.slot(.uploads, for: .user(owner.rawValue))
            defer { slot.release() }
            return try await receiveWhole(request, context, owner, form, validate)
        } catch {
            // What is left of the body is read and thrown away, so that the client gets to see the answer; but not for
            // as long as the client likes.
            context.closeConnection(after: RequestLimits.refusedUploadLimit)
            throw Problem(describing: error).closingConnection
        }
    }

    /// Stores a picture that came as part of something else.
    ///
    /// - Throws: `Problem` 413 `body_too_large`, 422 `unsupported_media`, 503 `unavailable`, 507
    ///   `insufficient_storage`.
    func storePicture(_ bytes: [UInt8], owner: UserID, field: String) async throws -> Media {
        let reservation = try await store.quota.open(for: owner)
        defer { withExtendedLifetime(reservation) {} }
        let picture = try await store.receivePicture(
            ByteBuffer(bytes: bytes), field: field, for: .user(owner.rawValue), from: reservation)
        let kept = try await store.keep([picture], by: owner)
        reservation.settle()
        return kept[0]
    }

    private func receiveWhole(
        _ request: Request, _ context: GraphRequestContext, _ owner: UserID, _ form: UploadForm,
        _ validate: ([String: [String]]) throws -> Void
    ) async throws -> Upload {
        let boundary = try MultipartBoundary.require(in: request.headers)
        let limit = store.limits.video + store.limits.picture + RequestLimits.multipartOverhead
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem(.bodyTooLarge, "The body may have at most \(limit) bytes.")
        }
        let reservation = try await store.quota.open(for: owner)
        defer { withExtendedLifetime(reservation) {} }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
            // Before any of it is read; what the form has beside its files is not counted.
            try reservation.check(bytes: max(length - RequestLimits.multipartOverhead, 0))
            try store.requireRoom(for: length)
        }
        let chunks = WatchedBody(request.body.makeAsyncIterator(), context, pause: pause)
        var reader = MultipartReader(chunks, boundary: boundary, limit: limit)
        var parts = UploadedParts(form: form, holder: .user(owner.rawValue), reservation: reservation)
        do {
            try await parts.read(from: &reader, into: store)
            guard let file = parts.file else {
                throw Problem(
                    .missingField, "The form must have a part \"\(form.file)\" with a file.", field: form.file)
            }
            try validate(parts.fields)
            if parts.thumbnail == nil, file.type.kind == .video {
                parts.thumbnail = await thumbnailer.thumbnail(
                    of: file, into: store, for: .user(owner.rawValue), from: reservation)
            }
            let kept = try await store.keep(parts.files, by: owner)
            reservation.settle()
            return Upload(file: kept[0], thumbnail: kept.count > 1 ? kept[1] : nil, fields: parts.fields)
        } catch {
            await store.discard(parts.files)
            throw error
        }
    }
}

extension Problem {
    /// Tells the client that the connection takes no further request.
    fileprivate var closingConnection: Problem {
        var headers = headers
        headers[.connection] = "close"
        return Problem(code, detail, field: field, headers: headers, underlying: underlying)
    }
}

/// What has been read of a form.
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

    mutating func read(from reader: inout MultipartReader<WatchedBody>, into store: MediaService) async throws {
        while let part = try await reader.nextPart() {
            switch part.name {
            case form.file:
                guard file == nil else { throw Self.repeated(part.name) }
                file = try await store.receive(field: part.name, for: holder, from: reservation) {
                    try await reader.nextPiece()
                }
            case form.thumbnail:
                guard thumbnail == nil else { throw Self.repeated(part.name) }
                thumbnail = try await store.receive(
                    field: part.name, only: .picture, for: holder, from: reservation
                ) {
                    try await reader.nextPiece()
                }
            case let name where form.texts.contains(name):
                fields[name, default: []].append(try await text(of: name, from: &reader))
            default:
                guard form.ignoresOthers else {
                    throw Problem(
                        .unknownField, "The part \"\(part.name.echoed)\" is not known here.", field: part.name.echoed)
                }
            }
        }
    }

    private mutating func text(
        of name: String, from reader: inout MultipartReader<WatchedBody>
    ) async throws -> String {
        let bytes = try await reader.collectPart(upTo: RequestLimits.multipartTextBytes - textBytes, field: name)
        textBytes += bytes.count
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Problem(.invalidValue, "\"\(name)\" must be UTF-8 without NUL characters.", field: name)
        }
        guard StreamSafeText.holds(bytes) else {
            throw Problem(.invalidValue, "\"\(name)\": \(StreamSafeText.rule).", field: name)
        }
        return text
    }

    private static func repeated(_ name: String) -> Problem {
        Problem(.duplicateField, "The form may have one part \"\(name)\".", field: name)
    }
}

/// The chunks of a request's body; a sender that is silent for too long has its connection closed.
struct WatchedBody: AsyncIteratorProtocol {
    private var chunks: RequestBody.AsyncIterator
    private let context: GraphRequestContext
    private let pause: Duration

    init(_ chunks: RequestBody.AsyncIterator, _ context: GraphRequestContext, pause: Duration) {
        self.chunks = chunks
        self.context = context
        self.pause = pause
    }

    mutating func next() async throws -> ByteBuffer? {
        let closing = context.closeConnection(after: pause)
        defer { closing.cancel() }
        do {
            return try await chunks.next()
        } catch let error where !(error is CancellationError) {
            // The connection was closed, by the client or by us, or what came over it is no HTTP.
            throw Problem(.malformedMultipart, "The request was cut off.", underlying: error)
        }
    }
}
