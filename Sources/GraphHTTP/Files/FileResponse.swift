import Glibc
import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import SocialGraph

/// Sends stored files: whole, a range of them, or 304 if the client already has them.
package struct FileResponse: Sendable {
    package let store: MediaService
    let budgets: Budgets

    package init(store: MediaService, budgets: Budgets) {
        self.store = store
        self.budgets = budgets
    }

    /// - Parameter isPublic: true if shared caches may keep it.
    /// - Throws: `Problem` 416 `range_not_satisfiable`, 503 `busy` and `unavailable`; ``GraphError/mediaNotFound``.
    func response(
        to request: Request, _ context: GraphRequestContext, for media: Media, isPublic: Bool
    ) async throws -> Response {
        let validators = FileValidators(sha256: media.sha256, modified: media.createdAt)
        var headers: HTTPFields = [
            .eTag: validators.entityTag, .lastModified: validators.lastModified, .acceptRanges: "bytes",
            .cacheControl: isPublic ? "public, max-age=31536000, immutable" : "private, no-store",
        ]
        if validators.match(request.headers) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = media.contentType
        headers[.contentDisposition] = "inline"
        headers[.xContentTypeOptions] = "nosniff"
        let mayBePart = request.method == .get && validators.allowRange(request.headers)
        switch FileRange(mayBePart ? request.headers[.range] : nil, bytes: media.bytes) {
        case .unsatisfiable:
            throw Problem(
                .rangeNotSatisfiable, "The file has \(media.bytes) bytes.",
                advice: [.fileSize(media.bytes)])
        case .whole:
            let body = try await body(of: media, from: 0, count: media.bytes, request, context)
            return Response(status: .ok, headers: headers, body: body)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(media.bytes)"
            let body = try await body(of: media, from: range.lowerBound, count: Int64(range.count), request, context)
            return Response(status: .partialContent, headers: headers, body: body)
        }
    }

    /// Reads a chunk when the client has taken the one before. A client that takes none for too long is disconnected.
    private func body(
        of media: Media, from start: Int64, count: Int64, _ request: Request, _ context: GraphRequestContext
    ) async throws -> ResponseBody {
        let holder = context.holder(of: request)
        let slot = try budgets.slot(.downloads, for: holder)
        let file = try await store.open(media, for: holder)
        return ResponseBody(contentLength: Int(count)) { [store] writer in
            defer { slot.release() }
            let watch = WriteWatch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await watch.close(context, ifAWriteTakes: RequestLimits.streamWriteLimit) }
                defer { group.cancelAll() }
                var sent: Int64 = 0
                while sent < count {
                    let length = Int(min(count - sent, Int64(IncomingFile.chunkBytes)))
                    let chunk = try await store.read(file, from: start + sent, count: length, for: holder)
                    guard chunk.readableBytes == length else { throw FileFailure("pread", number: EIO) }
                    watch.begin()
                    try await writer.write(chunk)
                    watch.end()
                    sent += Int64(length)
                }
            }
            try await writer.finish(nil)
        }
    }
}
