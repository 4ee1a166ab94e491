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
        var json = JSONWriter(reservingCapacity: capacity)
        write(&json)
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }

    package static var noContent: Response { Response(status: .noContent) }
}
