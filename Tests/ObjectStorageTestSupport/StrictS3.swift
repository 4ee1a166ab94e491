import Foundation
import HTTPMiddleware
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ObjectStorage
import Synchronization
import TestSupport

/// A small S3 service in this process. It keeps objects in memory, and refuses every request whose signature, digest or
/// form is not exactly right.
package final class StrictS3: Sendable {
    package static let bucket = "media"
    package static let accessKey = "AKTEST"
    package static let secretKey = "secret/of+the=test"

    package struct Object: Sendable, Equatable {
        package var bytes: [UInt8]
        package var contentType: String
        package var sha256: String?

        package init(bytes: [UInt8], contentType: String, sha256: String? = nil) {
            self.bytes = bytes
            self.contentType = contentType
            self.sha256 = sha256
        }
    }

    /// Statuses of the next calls of a method to objects whose key ends in `suffix`.
    private struct Failures {
        var statuses: [Int]
        var suffix: String
    }

    private struct State {
        var objects: [String: Object] = [:]
        var calls: [String] = []
        var failures: [String: Failures] = [:]
        var keysAPage = 1000
        var knowsConditions = true
        var isVersioned = false
        var corrupts = false
        var port = 0
    }

    private let state = Mutex(State())
    private let check = SignatureCheck(accessKey: StrictS3.accessKey, secretKey: StrictS3.secretKey)

    /// Runs `body` with a service of its own.
    package static func with<Value: Sendable>(
        _ body: @escaping @Sendable (StrictS3) async throws -> Value
    ) async throws -> Value {
        let service = StrictS3()
        let (ports, running) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in await service.answer(request) },
            server: AcceptedHTTP1.builder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) }, logger: .silent)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports {
                service.state.withLock { $0.port = port }
                break
            }
            return try await body(service)
        }
    }

    package var endpoint: String { "http://127.0.0.1:\(state.withLock { $0.port })" }

    /// The value of `--media`.
    package func address(prefix: String = "", _ parameters: String = "") -> String {
        "s3://\(Self.bucket)/\(prefix)?endpoint=\(endpoint)&region=test-1\(parameters)"
    }

    package static let environment = ["GRAPHD_S3_ACCESS_KEY": accessKey, "GRAPHD_S3_SECRET_KEY": secretKey]

    package var credentials: ServiceCredentials {
        get throws { try ServiceCredentials(accessKey: Self.accessKey, secretKey: Self.secretKey) }
    }

    package var objects: [String: Object] { state.withLock { $0.objects } }

    package func edit(_ body: (inout [String: Object]) -> Void) { state.withLock { body(&$0.objects) } }

    /// Methods and paths of the calls so far.
    package var calls: [String] { state.withLock { $0.calls } }

    /// Answers the next calls of a method, to objects whose key ends in `suffix`, with statuses in place of carrying
    /// them out. A server that runs asks for its marker every few seconds, too.
    package func fail(_ method: String, of suffix: String = "", with statuses: [Int]) {
        state.withLock { $0.failures[method] = Failures(statuses: statuses, suffix: suffix) }
    }

    package func setKeysAPage(_ number: Int) { state.withLock { $0.keysAPage = number } }
    package func forgetConditions() { state.withLock { $0.knowsConditions = false } }
    /// Changes a byte of each file that is stored from now on.
    package func corrupt() { state.withLock { $0.corrupts = true } }
    package func keepVersions() { state.withLock { $0.isVersioned = true } }

    private func answer(_ request: Request) async -> Response {
        do {
            let body = try await request.body.collect(upTo: 64 << 20)
            let bytes = Array(body.readableBytesView)
            try check.verify(request.head, body: bytes, now: Int64(Date().timeIntervalSince1970))
            return Self.withoutBody(try carryOut(request, bytes), for: request)
        } catch let refusal as SignatureCheck.Refusal {
            return Self.withoutBody(Self.error(refusal), for: request)
        } catch {
            return Response(status: .badRequest)
        }
    }

    /// The answer to HEAD has the length of a body, but none.
    private static func withoutBody(_ response: Response, for request: Request) -> Response {
        guard request.method == .head, let length = response.body.contentLength else { return response }
        var response = response
        response.body = ResponseBody(contentLength: length) { writer in try await writer.finish(nil) }
        return response
    }

    private static func error(_ refusal: SignatureCheck.Refusal) -> Response {
        let body =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(refusal.code)</Code></Error>"
        return Response(
            status: .init(code: refusal.status), headers: [.contentType: "application/xml"],
            body: .init(byteBuffer: ByteBuffer(string: body)))
    }

    private func carryOut(_ request: Request, _ body: [UInt8]) throws -> Response {
        let path = request.uri.path
        let method = request.method.rawValue
        try state.withLock { state in
            state.calls.append("\(method) \(path)")
            guard var left = state.failures[method], !left.statuses.isEmpty, path.hasSuffix(left.suffix) else { return }
            let status = left.statuses.removeFirst()
            state.failures[method] = left
            // 0 stands for a call that succeeds.
            guard status != 0 else { return }
            throw SignatureCheck.Refusal(status: status, code: status == 503 ? "SlowDown" : "InternalError")
        }
        guard path.hasPrefix("/\(Self.bucket)/") else {
            throw SignatureCheck.Refusal(status: 404, code: "NoSuchBucket")
        }
        let key = String(path.dropFirst(Self.bucket.count + 2))
        if key.isEmpty { return try bucketAnswer(request) }
        switch method {
        case "PUT": return try put(key, body, request)
        case "GET", "HEAD": return try get(key, request)
        case "DELETE":
            state.withLock { state in state.objects[key] = nil }
            return Response(status: .noContent)
        default: throw SignatureCheck.Refusal(status: 405, code: "MethodNotAllowed")
        }
    }

    private func put(_ key: String, _ body: [UInt8], _ request: Request) throws -> Response {
        guard request.headers[.contentLength] == String(body.count) else {
            throw SignatureCheck.Refusal(status: 411, code: "MissingContentLength")
        }
        return try state.withLock { state in
            if let condition = request.headers[.ifNoneMatch] {
                guard state.knowsConditions, condition == "*" else {
                    throw SignatureCheck.Refusal(status: 501, code: "NotImplemented")
                }
                guard state.objects[key] == nil else {
                    throw SignatureCheck.Refusal(status: 412, code: "PreconditionFailed")
                }
            }
            var body = body
            if state.corrupts, key.contains("/") { body[0] ^= 1 }
            state.objects[key] = Object(
                bytes: body, contentType: request.headers[.contentType] ?? "",
                sha256: request.headers[HTTPField.Name("x-amz-meta-sha256")!])
            return Response(status: .ok)
        }
    }

    private func get(_ key: String, _ request: Request) throws -> Response {
        guard let object = objects[key] else { throw SignatureCheck.Refusal(status: 404, code: "NoSuchKey") }
        let type = request.uri.queryParameters["response-content-type"].map(String.init) ?? object.contentType
        var headers: HTTPFields = [.contentType: type, .acceptRanges: "bytes"]
        if let digest = object.sha256 { headers[HTTPField.Name("x-amz-meta-sha256")!] = digest }
        guard let range = request.headers[.range] else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: object.bytes)))
        }
        let bounds = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1], bounds[0] < object.bytes.count else {
            throw SignatureCheck.Refusal(status: 416, code: "InvalidRange")
        }
        let last = min(bounds[1], object.bytes.count - 1)
        headers[.contentRange] = "bytes \(bounds[0])-\(last)/\(object.bytes.count)"
        return Response(
            status: .partialContent, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: object.bytes[bounds[0]...last])))
    }

    private func bucketAnswer(_ request: Request) throws -> Response {
        let query = request.uri.queryParameters
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let state = state.withLock { $0 }
        if query.has("versioning") {
            xml += "<VersioningConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            xml += state.isVersioned ? "<Status>Enabled</Status>" : ""
            xml += "</VersioningConfiguration>"
        } else {
            guard query["list-type"] == "2" else { throw SignatureCheck.Refusal(status: 400, code: "InvalidArgument") }
            let prefix = query["prefix"].map(String.init) ?? ""
            let after = query["continuation-token"].map(String.init) ?? ""
            let rest = state.objects.keys.filter { $0.hasPrefix(prefix) && $0 > after }.sorted()
            let page = rest.prefix(min(state.keysAPage, query["max-keys"].flatMap { Int($0) } ?? 1000))
            xml += "<ListBucketResult><EncodingType>url</EncodingType>"
            xml += "<IsTruncated>\(page.count < rest.count)</IsTruncated>"
            for key in page { xml += "<Contents><Key>\(key)</Key></Contents>" }
            if page.count < rest.count { xml += "<NextContinuationToken>\(page.last!)</NextContinuationToken>" }
            xml += "</ListBucketResult>"
        }
        return Response(
            status: .ok, headers: [.contentType: "application/xml"], body: .init(byteBuffer: ByteBuffer(string: xml)))
    }
}
