import Foundation
import GraphHTTP
import GraphServices
import HTTPMiddleware
import HTTPTypes
import MediaFiles
import NIOCore
import ProductAPIs
import Sessions
import SocialGraph
import StrictJSON
import Text

extension InputParser {
    /// Largest number of bytes of all headers of a request that are read together.
    private static let headerBytes = 65_536

    /// Parsers of bodies, headers and paths.
    static let requests: [InputParser] = [
        InputParser(
            "json", limit: RequestLimits.bodyBytes,
            corpus: [
                #"{"caption":"h\u00e9llo","tags":["a","b"],"n":-1.5e3,"o":{"x":null,"y":true}}"#,
                #"[{"label":"a","startTime":0.5,"endTime":2}]"#,
            ],
            frames: [("", ""), ("{\"", "\":1}"), ("{\"f\":\"", "\"}"), ("[", "]"), ("{\"f\":", "}"), ("{", "}")]
        ) { bytes in
            let value = try JSONReader.read(bytes)
            try InputFault.require(value == (try JSONReader.read(bytes)), "one text was read in two ways")
            if case .object(let members) = value {
                var object = StrictObject(members: members)
                for member in members.prefix(3) { _ = object.take(member.name) }
                try object.end()
            }
        },
        text(
            "query", limit: RequestLimits.queryBytes,
            corpus: [
                "limit=20&cursor=17&q=hello+w%C3%B6rld&attributes.colour=red", "algorithms=a,b&explain=true",
                "user=17&expires=1795821409&signature=zuq7qBiP-3Q62sS43rstQk05RnVDqoqPm34em8x8aI4", "expiresIn=60",
            ],
            frames: [("", ""), ("q=", ""), ("attributes.", "=1")]
        ) { text in
            var query = try QueryParameters(text)
            _ = (try? query.limit(), try? query.cursor(), try? query.id("author"))
            _ = (try? query.flag("explain"), try? query.category(), try? query.attributes(), try? query.algorithms())
            _ = (try? query.optionalText("q", maxLength: 200), try? query.names("tags"))
            _ = (query.string("since"), query.strings(withPrefix: "attributes."), try? query.linkLifetime())
            _ = MediaLinks.Claim(query: text)
            try query.end()
        },
        text(
            "headers", limit: headerBytes, costPerByte: 4,
            corpus: ["Bearer aGVhZGVy.cGF5bG9hZA.c2ln", "bytes=0-99", "W/\"abc\", \"def\"", "text/vtt; charset=utf-8"],
            frames: [("", ""), ("Bearer ", ""), ("bytes=", ""), ("multipart/form-data; boundary=\"", "\"")]
        ) { text in
            let names: [HTTPField.Name] = [
                .authorization, .range, .ifNoneMatch, .ifModifiedSince, .ifRange, .contentType, .lastEventID,
                .contentLength, .acceptEncoding, .contentEncoding,
            ]
            var fields = HTTPFields()
            for name in names { fields[name] = text }
            var head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/v1/me")
            head.headerFields = fields
            try RequestTextCheck.check(head)
            _ = try? BearerToken.find(in: fields)
            _ = try? IdempotencyHeader.key(in: fields)
            _ = try? MultipartBoundary.require(in: fields[values: .contentType])
            _ = RequestObserver.isAcceptable(text)
            _ = FileRange(text, bytes: 1_000)
            _ = FileValidators(sha256: Array(repeating: 7, count: 32), modified: 0).match(fields)
            _ = FileValidators(sha256: Array(repeating: 7, count: 32), modified: 0).allowRange(fields)
            _ = HeaderParameters(text)
            _ = AcceptEncoding.allowsGzip(fields)
            try ContentCodingCheck.check(fields)
        },
        text(
            "forwarded", limit: headerBytes,
            corpus: [
                "for=192.0.2.1", "for=\"[2001:db8::1]:80\";by=_x, for=198.51.100.7", "203.0.113.9, 192.0.2.1:80",
            ], frames: [("", ""), ("for=192.0.2.1, ", ", for=192.0.2.1"), ("", ", 192.0.2.1")]
        ) { text in
            guard let proxies = TrustedProxies("192.0.2.0/24"), let peer = IPAddress("192.0.2.1") else { return }
            for name in [HTTPField.Name.forwarded, .xForwardedFor] {
                var fields = HTTPFields()
                fields[name] = text
                try InputFault.require(proxies.origin(of: peer, fields) != nil, "a request has no origin")
            }
            _ = (TrustedProxies(text), AddressRange(text[...]))
        },
        text(
            "token", limit: headerBytes,
            corpus: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2ln", "a.b.c"],
            frames: [("", ""), ("eyJhbGciOiJIUzI1NiJ9.", ".c2ln")]
        ) { text in
            guard text.utf8.count <= RequestLimits.outsideTokenBytes else { return }
            for part in text.split(separator: ".", omittingEmptySubsequences: false).prefix(3) {
                if let bytes = Base64URL.decode(String(part)) { _ = try JSONReader.read(bytes) }
            }
        },
        text(
            "path", limit: headerBytes,
            corpus: ["/v1/users/by-username/ann", "/v1/topics/caf%C3%A9/follow", "/v1/posts/17/stream"],
            frames: [("", ""), ("/v1/topics/", "/follow")]
        ) { text in
            try RequestTextCheck.check(HTTPRequest(method: .get, scheme: nil, authority: nil, path: text))
            for part in text.split(separator: "/") {
                let name = String(part).removingPercentEncoding ?? ""
                _ = (TextRules.parseID(part), try? TextRules.username(name, field: "username"))
                if TextRules.isWithin(SocialGraphLimits.categoryLength, name) { _ = NameFolding.key(name) }
            }
        },
        InputParser(
            "multipart", limit: 1 << 20,
            corpus: [
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.mp4\"\r\n"
                    + "Content-Type: video/mp4\r\n\r\n"
                    + "data\r\n--b\r\nContent-Disposition: form-data; name=caption\r\n\r\nhello\r\n--b--\r\n"
            ],
            frames: [
                ("", ""), ("--b\r\n", ""), ("--b\r\nContent-Disposition: form-data; name=\"", "\"\r\n\r\nx\r\n--b--"),
                ("--b\r\nContent-Disposition: form-data; name=f\r\n\r\n", "\r\n--b--"),
            ], read: multipart),
    ]

    /// Reads the input whole and in pieces: both must give the same parts.
    private static func multipart(_ bytes: [UInt8]) throws {
        guard let boundary = MultipartBoundary("b") else { return }
        func read(_ size: Int) -> (parts: [MultipartPart], content: Int, isRefused: Bool) {
            var parser = MultipartParser(boundary: boundary)
            var (parts, content): ([MultipartPart], Int) = ([], 0)
            var place = 0
            do {
                while place < bytes.count {
                    let end = min(place + size, bytes.count)
                    parser.append(ByteBuffer(bytes: bytes[place..<end]))
                    place = end
                    while let event = try parser.next() {
                        switch event {
                        case .part(let part): parts.append(part)
                        case .content(let piece): content += piece.readableBytes
                        case .partEnd, .end: break
                        }
                    }
                }
                try parser.finish()
                return (parts, content, false)
            } catch {
                return (parts, content, true)
            }
        }
        let (whole, pieces) = (read(.max / 2), read(1_021))
        guard !whole.isRefused || !pieces.isRefused else { return }
        try InputFault.require(
            whole.parts == pieces.parts && whole.content == pieces.content && whole.isRefused == pieces.isRefused,
            "a form in pieces is another than the whole one")
    }
}
