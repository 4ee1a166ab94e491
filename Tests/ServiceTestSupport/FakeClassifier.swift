import HTTPMiddleware
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestSupport
import Testing

/// A scripted classifier server. It checks no signatures by itself.
package final class FakeClassifier: Sendable {
    package enum Behaviour: Sendable {
        case says(String, status: Int = 200)
        /// Accepts the request and never answers.
        case stalls
        /// Begins an answer and does not end it.
        case drips
        case resets
    }

    private let script = Mutex<[Behaviour]>([])
    private let questions = Mutex<[FakeReceiver.Message]>([])
    private let release = AsyncStream<Void>.makeStream()

    package init() {}

    package var asked: [FakeReceiver.Message] { questions.withLock { $0 } }

    /// Scripts the next answers. The last one is repeated.
    package func script(_ behaviours: [Behaviour]) { script.withLock { $0 = behaviours } }

    /// Runs `body` with the base URL of the server.
    package func running<T: Sendable>(_ body: @Sendable (String) async throws -> T) async throws -> T {
        let router = Router(context: ChannelContext.self)
        router.post("**") { request, context in try await self.answer(request, context) }
        let application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        return try await application.test(.live) { client in
            defer { release.continuation.finish() }
            return try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    private func answer(_ request: Request, _ context: ChannelContext) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        func header(_ name: String) -> String { HTTPField.Name(name).flatMap { request.headers[$0] } ?? "" }
        let message = FakeReceiver.Message(
            path: request.uri.path, id: header("webhook-id"), timestamp: header("webhook-timestamp"),
            signature: header("webhook-signature"), body: body)
        questions.withLock { $0.append(message) }
        let behaviour = script.withLock { script in
            script.count > 1 ? script.removeFirst() : script.first ?? .says(#"{"verdict":"allow"}"#)
        }
        switch behaviour {
        case .says(let text, let status):
            return Response(status: .init(code: status), body: .init(byteBuffer: ByteBuffer(string: text)))
        case .stalls:
            for await _ in release.stream {}
            return Response(status: .internalServerError)
        case .drips:
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: #"{"verdict":"#))
                    for await _ in self.release.stream {}
                    try await writer.finish(nil)
                })
        case .resets:
            try? await context.channel.close()
            return Response(status: .internalServerError)
        }
    }
}
