import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Text

/// Refuses a request whose path or headers have more combining marks in a row than ``StreamSafeText`` allows, before
/// anything compares, folds or hashes them.
package struct RequestTextCheck: RouterMiddleware {
    package func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(request.head)
        return try await next(request, context)
    }

    /// - Throws: `Problem` 400 `invalid_header` or `bad_request`.
    package static func check(_ head: HTTPRequest) throws {
        for field in head.headerFields where !StreamSafeText.holds(field.value) {
            throw Problem(
                .invalidHeader, "The header \(field.name.rawName.echoed) is not valid: \(StreamSafeText.rule).",
                field: field.name.rawName.echoed)
        }
        guard let path = head.path, !holds(path: path) else { return }
        throw Problem(.badRequest, "The path is not valid: \(StreamSafeText.rule).")
    }

    /// Routes decode those parts of a path that are names.
    private static func holds(path: String) -> Bool {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return StreamSafeText.holds(path) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.utf8.count)
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest[digits.endIndex...]
            } else {
                bytes.append(byte)
            }
        }
        return StreamSafeText.holds(bytes)
    }
}
