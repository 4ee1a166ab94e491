import GraphAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// An error that a client is told about: an answer of RFC 9457, `application/problem+json`.
///
/// It deliberately is no `HTTPResponseError`: the router would render that itself, without request id and log.
struct Problem: Error, Sendable {
    let code: ProblemCode
    /// Text for the client: says what came and what would be right, and nothing of the server's inside.
    let detail: String
    /// The field, parameter or header that the problem is about.
    let field: String?
    /// Headers that the answer carries besides the usual ones.
    let headers: HTTPFields
    /// The cause, for the log only.
    let underlying: (any Error)?

    var status: HTTPResponse.Status { code.status }

    init(
        _ code: ProblemCode,
        _ detail: String,
        field: String? = nil,
        headers: HTTPFields = [:],
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.detail = detail
        self.field = field
        self.headers = headers
        self.underlying = underlying
    }
}

extension Problem: CustomStringConvertible {
    var description: String {
        "\(status.code) \(code.rawValue): \(detail)"
    }
}

extension Problem {
    static let mediaType = "application/problem+json"

    /// The answer, with `{type, title, status, detail, code, requestId}` and `field` where there is one.
    func response(requestID: String) -> Response {
        var headers = headers
        headers[.contentType] = Self.mediaType
        let body = ByteBuffer(bytes: json(requestID: requestID))
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }

    /// The body of an answer.
    ///
    /// - Parameter requestID: nil where there is no request to name.
    func json(requestID: String?) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 384)
        json.beginObject()
        json.key("type")
        json.string("urn:problem-type:graphd:\(code.rawValue)")
        json.key("title")
        json.string(code.title)
        json.key("status")
        json.integer(status.code)
        json.key("detail")
        json.string(detail)
        json.key("code")
        json.string(code.rawValue)
        if let requestID {
            json.key("requestId")
            json.string(requestID)
        }
        if let field {
            json.key("field")
            json.string(field)
        }
        json.endObject()
        return json.bytes
    }
}
