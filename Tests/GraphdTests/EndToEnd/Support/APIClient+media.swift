import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceTestSupport

extension APIClient {
    /// Sends a form, or any body of that content type, to `POST /v1/media`.
    func upload(
        _ body: [UInt8], contentType: String?, path: String = "/v1/media", key: String? = nil
    ) async throws -> Answer {
        while true {
            let answer = try await uploadOnce(body, contentType, path, key)
            guard try await isToBeRepeated(answer) else { return answer }
        }
    }

    private func uploadOnce(
        _ body: [UInt8], _ contentType: String?, _ path: String, _ key: String?
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let contentType { request.headers.add(name: "Content-Type", value: contentType) }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        request.body = .bytes(body)
        let response = try await http.execute(request, timeout: .seconds(120))
        let buffer = try await response.body.collect(upTo: 16 << 20)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(buffer.readableBytesView))
    }

    func upload(_ form: FormText, to path: String = "/v1/media", key: String? = nil) async throws -> Answer {
        try await upload(form.bytes, contentType: form.contentType, path: path, key: key)
    }

    /// Stores a file and returns its path.
    func store(_ bytes: [UInt8], named name: String = "a.bin") async throws -> String {
        var form = FormText()
        form.add("file", file: bytes, named: name)
        let answer = try await upload(form)
        guard answer.status == 201, let path = answer.header("Location") else { throw UnexpectedAnswer(answer) }
        return path
    }
}
