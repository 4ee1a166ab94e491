import Crypto
import Foundation
import HTTPMiddleware
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestSupport
import Testing

/// A scripted receiver of webhooks. It checks no signatures by itself: tests do, with the secret.
package final class FakeReceiver: Sendable {
    package struct Message: Sendable {
        package let path: String
        package let id: String
        package let timestamp: String
        package let signature: String
        package let body: String

        /// Verifies the signature by the definition of Standard Webhooks, without the code under test.
        package func isSigned(by secret: String) throws -> Bool {
            let key = try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count))))
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(id).\(timestamp).\(body)".utf8), using: SymmetricKey(data: key))
            return signature == "v1," + Data(code).base64EncodedString()
        }
    }

    package enum Behaviour: Sendable {
        case status(Int, headers: [String: String] = [:])
        case reset(taken: Bool)
    }

    private struct State {
        var script: [String: [Behaviour]] = [:]
        var taken: [Message] = []
        var attempts: [Message] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var taken: [Message] { state.withLock { $0.taken } }
    package var attempts: [Message] { state.withLock { $0.attempts } }

    /// Scripts the next messages for `path`. All later ones are accepted.
    package func script(_ path: String, _ behaviours: [Behaviour]) { state.withLock { $0.script[path] = behaviours } }

    /// Runs `body` with the base URL of the server.
    package func running<T: Sendable>(_ body: @Sendable (String) async throws -> T) async throws -> T {
        let router = Router(context: ChannelContext.self)
        router.post("**") { request, context in try await self.receive(request, context) }
        let application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        return try await application.test(.live) { client in
            try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    private func receive(_ request: Request, _ context: ChannelContext) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        func header(_ name: String) -> String { HTTPField.Name(name).flatMap { request.headers[$0] } ?? "" }
        let message = Message(
            path: request.uri.path, id: header("webhook-id"), timestamp: header("webhook-timestamp"),
            signature: header("webhook-signature"), body: body)
        let behaviour = state.withLock { state in
            state.attempts.append(message)
            let behaviour = state.script[message.path]?.first ?? .status(204)
            state.script[message.path] = state.script[message.path].map { Array($0.dropFirst()) }
            switch behaviour {
            case .status(200..<300, _), .reset(taken: true): state.taken.append(message)
            default: break
            }
            return behaviour
        }
        switch behaviour {
        case .status(let status, let headers):
            var fields = HTTPFields()
            for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
            return Response(status: .init(code: status), headers: fields)
        case .reset:
            try? await context.channel.close()
            return Response(status: .internalServerError)
        }
    }
}
