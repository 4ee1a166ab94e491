import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore

/// Problems as answers of RFC 9457, `application/problem+json`.
///
/// A problem deliberately is not an `HTTPResponseError`: the router would render that itself, without request id and
/// log.
extension Problem {
    package static let mediaType = "application/problem+json"

    package var status: HTTPResponse.Status { code.status }

    /// Returns the answer, with `{type, title, status, detail, code, requestId}` and an optional `field`.
    func response(requestID: String) -> Response {
        var headers = headers
        headers[.contentType] = Self.mediaType
        let body = ByteBuffer(bytes: json(requestID: requestID))
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }

    /// Returns the body of an answer.
    ///
    /// - Parameter requestID: nil if there is no request to name.
    package func json(requestID: String?) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 384)
        json.beginObject()
        json.member("type", "urn:problem-type:graphd:\(code.rawValue)")
        json.member("title", code.title)
        json.member("status", status.code)
        json.member("detail", detail)
        json.member("code", code.rawValue)
        if let requestID {
            json.member("requestId", requestID)
        }
        if let field {
            json.member("field", field)
        }
        json.endObject()
        return json.bytes
    }
}
