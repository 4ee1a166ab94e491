import Foundation
import Testing

@testable import GraphdClient

/// Uploads, sent piece by piece.
@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private static let stored = #"""
        {"mediaId":"1","url":"u","contentType":"image/png","bytes":3,"sha256":"0","status":"ready","thumbnailUrl":null}
        """#

    @Test func `a form has its length, its parts and one key in each attempt`() async throws {
        let peer = ScriptedPeer { number, _ in number == 1 ? .problem(503, "busy") : .json(Self.stored, status: 201) }
        let media = try await GraphdClient.scripted(peer).media.upload(
            file: UploadFile(data: Data("abc".utf8)), thumbnail: UploadFile(data: Data("\r\n--".utf8)))
        #expect(media.mediaId == "1")
        let (requests, bodies) = await (peer.requests, peer.bodies)
        #expect(requests.count == 2 && Set(requests.map { $0.headers["Idempotency-Key"] }).count == 1)
        for (request, body) in zip(requests, bodies) {
            guard case .stream(let length, _) = request.body else { throw ScriptedPeer.ConnectionLost() }
            #expect(length == Int64(body.count))
            let boundary = try #require(request.headers["Content-Type"]?.split(separator: "boundary=").last)
            let head = "Content-Disposition: form-data; name="
            #expect(
                String(decoding: body, as: UTF8.self)
                    == "--\(boundary)\r\n\(head)\"file\"; filename=\"file\"\r\n\r\nabc\r\n"
                    + "--\(boundary)\r\n\(head)\"thumbnail\"; filename=\"file\"\r\n\r\n\r\n--\r\n--\(boundary)--\r\n")
        }
    }

    @Test func `a file is read from disk in pieces, with progress to the end`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("graphd-client-\(UUID().uuidString)")
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let peer = ScriptedPeer { _, _ in .json(Self.stored, status: 201) }
        let (reports, signal) = AsyncStream.makeStream(of: (Int64, Int64?).self)
        try await GraphdClient.scripted(peer).media.upload(
            file: UploadFile(contentsOf: file), progress: { signal.yield(($0, $1)) })
        signal.finish()
        let all = await reports.reduce(into: [(Int64, Int64?)]()) { $0.append($1) }
        let body = try #require(await peer.bodies.first)
        #expect(body.range(of: content) != nil)
        #expect(all.first?.0 == 0 && all.last?.0 == Int64(body.count) && all.allSatisfy { $0.1 == Int64(body.count) })
        #expect(all.count > 4 && all.map(\.0) == all.map(\.0).sorted())
    }

    @Test func `a file that is not there is an error before anything is sent`() {
        #expect(throws: (any Error).self) { try UploadFile(contentsOf: URL(fileURLWithPath: "/nowhere/at/all")) }
    }

    @Test func `a body of unknown length has none`() {
        let file = UploadFile(length: nil, content: BodyStream(Data("abc".utf8)))
        #expect(MultipartForm(parts: [.file("file", file)]).length == nil)
        #expect(MultipartForm(parts: [.field("a", nil), .field("b", "1")]).length != nil)
    }
}
