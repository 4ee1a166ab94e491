import HTTPTypes
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct AcceptEncodingTests {
    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true),
        ("br;q=1.0, gzip;q=0.001", true), ("gzip ; q=0.5", true), ("gzip;Q=1", true), ("", false),
        ("identity", false), ("br, deflate", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
        ("gzip;q=0, *", false), ("gzip;q=2", false), ("gzip;q=1.5", false), ("gzip;q=", false), ("gzip;q", false),
        ("gzip;q=0.0001", false), ("gzip;q=-1", false), ("gzip;q=1;q=1", false), ("gzipped", false), (";q=1", false),
        (",,,", false),
    ])
    func `gzip needs a weight above 0`(value: String, allows: Bool) {
        #expect(AcceptEncoding.allowsGzip([.acceptEncoding: value]) == allows)
    }

    @Test func `several lines are one list`() {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .acceptEncoding, value: "br"))
        headers.append(HTTPField(name: .acceptEncoding, value: "gzip"))
        #expect(AcceptEncoding.allowsGzip(headers))
        #expect(!AcceptEncoding.allowsGzip([:]))
    }
}
