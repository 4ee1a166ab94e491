import Glibc
import GraphServices
import HTTPTypes
import Hummingbird
import MediaFiles
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
    /// - Throws: `Problem` 416 `range_not_satisfiable`, 429 `rate_limited`, 503 `busy` and `unavailable`;
    ///   ``GraphError/mediaNotFound``.
    func response(
        to request: Request, _ context: GraphRequestContext, for media: Media, isPublic: Bool
    ) async throws -> Response {
        let validators = FileValidators(sha256: media.sha256, modified: media.createdAt)
        var headers: HTTPFields = [
            .eTag: validators.entityTag, .lastModified: validators.lastModified, .acceptRanges: "bytes",
            .cacheControl: isPublic ? "public, max-age=31536000, immutable" : "private, no-store",
        ]
        if validators.match(request.headers) { return Response(status: .notModified, headers: headers) }
        if let link = store.link(to: media, method: request.method.rawValue) {
            return Response(status: .temporaryRedirect, headers: [.location: link, .cacheControl: "private, no-store"])
        }
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
            let body = try await body(of: media, 0..<media.bytes, request, context)
            return Response(status: .ok, headers: headers, body: body)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(media.bytes)"
            let body = try await body(of: media, Range(range), request, context)
            return Response(status: .partialContent, headers: headers, body: body)
        }
    }

    /// Reads a piece when the client has taken the one before. A client that takes none for too long is disconnected.
    private func body(
        of media: Media, _ range: Range<Int64>, _ request: Request, _ context: GraphRequestContext
    ) async throws -> ResponseBody {
        let holder = context.holder(of: request)
        let slot = try budgets.slot(.downloads, for: holder, .address(context.addressBlock(of: request)))
        // The answer to HEAD has no bytes, but tells whether there are any.
        let content = try await store.open(media, request.method == .head ? 0..<0 : range, for: holder)
        return ResponseBody(contentLength: range.count) { writer in
            defer { slot.release() }
            let watch = WriteWatch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await watch.close(context, ifAWriteTakes: RequestLimits.streamWriteLimit) }
                defer { group.cancelAll() }
                try await content.forEachPiece { piece in
                    watch.begin()
                    try await writer.write(piece)
                    watch.end()
                }
            }
            try await writer.finish(nil)
        }
    }
}
