import GraphAPI
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// An answer with a JSON body, written straight into the buffer that is sent.
    package static func json(
        _ status: HTTPResponse.Status = .ok, reservingCapacity capacity: Int = 512, headers: HTTPFields = [:],
        _ write: (inout JSONWriter) -> Void
    ) -> Response {
        JSONAnswer.json(status, reservingCapacity: capacity, headers: headers, write).response
    }

    package static func json(_ status: HTTPResponse.Status, headers: HTTPFields, bytes: [UInt8]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    package static var noContent: Response { Response(status: .noContent) }
}

/// An answer with a JSON body whose bytes are still at hand.
package struct JSONAnswer: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]

    package static func json(
        _ status: HTTPResponse.Status = .ok, reservingCapacity capacity: Int = 512, headers: HTTPFields = [:],
        _ write: (inout JSONWriter) -> Void
    ) -> JSONAnswer {
        var json = JSONWriter(reservingCapacity: capacity)
        write(&json)
        return JSONAnswer(status: status, headers: headers, bytes: json.bytes)
    }

    var response: Response { .json(status, headers: headers, bytes: bytes) }
}
