import Crypto
import CryptoExtras
import Foundation
import HTTPMiddleware
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// A scripted server for Firebase Cloud Messaging's HTTP v1 and Google's token endpoint.
package final class FakeFirebase: Sendable {
    /// The treatment of a message.
    package enum Behaviour: Sendable {
        case accept
        /// Status, FCM's error code, the offending field, `Retry-After`.
        case refuse(Int, String, field: String? = nil, retryAfter: String? = nil)
        /// Closes the connection without an answer, before or after the message is accepted.
        case reset(taken: Bool)
        /// Does not answer until the test is over.
        case hang(taken: Bool)
    }

    package struct Message: Sendable, Equatable {
        /// The target: `token:…` or `topic:…`.
        package let target: String
        package let title: String
        package let body: String
        package let data: [String: String]
        /// The tag by which a message replaces another one on a screen.
        package let tag: String
    }

    private struct State {
        var script: [String: [Behaviour]] = [:]
        var taken: [Message] = []
        var attempts = 0
        var malformed: [String] = []
        var tokens = 0
        var refusedTokens: Set<String> = []
        var tokenStatus = 200
        var tokenLifetime = 3_600
        var assertions: [String] = []
        var hanging: [CheckedContinuation<Void, Never>] = []
    }

    package let key: _RSA.Signing.PrivateKey
    private let state = Mutex(State())

    package init() throws { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// Every accepted message, in order.
    package var taken: [Message] { state.withLock { $0.taken } }
    package var attempts: Int { state.withLock { $0.attempts } }
    package var malformed: [String] { state.withLock { $0.malformed } }
    package var tokensGranted: Int { state.withLock { $0.tokens } }
    package var assertions: [String] { state.withLock { $0.assertions } }

    /// Scripts the next messages for `target`. All later ones are accepted.
    package func script(_ target: String, _ behaviours: [Behaviour]) {
        state.withLock { $0.script[target] = behaviours }
    }

    /// Refuses the access tokens granted so far.
    package func refuseTokens() {
        state.withLock { state in
            state.refusedTokens.formUnion((0...state.tokens).map { "access-\($0)" })
        }
    }

    package func grantTokens(status: Int = 200, lifetime: Int = 3_600) {
        state.withLock { ($0.tokenStatus, $0.tokenLifetime) = (status, lifetime) }
    }

    /// Runs `body` with the base URL of the server.
    package func running<T: Sendable>(_ body: @Sendable (String) async throws -> T) async throws -> T {
        let router = Router(context: ChannelContext.self)
        router.post("token") { request, _ in try await self.grant(request) }
        router.post("v1/projects/fitness-test/**") { request, context in try await self.send(request, context) }
        let application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        return try await application.test(.live) { client in
            defer { for continuation in state.withLock({ $0.hanging }) { continuation.resume() } }
            return try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    /// The key file of a service account of this server.
    package func writeServiceAccount(base: String, to path: String) throws {
        let members = [
            "type": "service_account", "project_id": "fitness-test", "private_key_id": "kid-1",
            "private_key": key.pkcs8PEMRepresentation, "client_email": "push@fitness-test.iam.gserviceaccount.com",
            "token_uri": "\(base)/token", "universe_domain": "googleapis.com",
        ]
        try JSONEncoder().encode(members).write(to: URL(fileURLWithPath: path))
    }

    // MARK: The token endpoint

    private func grant(_ request: Request) async throws -> Response {
        let form = String(buffer: try await request.body.collect(upTo: 65_536))
        let parts = form.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let fields = Dictionary(uniqueKeysWithValues: parts.map { ($0[0], $0[1].removingPercentEncoding ?? "") })
        guard fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer",
            let assertion = fields["assertion"],
            let audience = request.headers[.init("Host")!].map({ "http://\($0)/token" })
                ?? request.head.authority.map({ "http://\($0)/token" }),
            let fault = fault(in: assertion, audience: audience)
        else { return Self.json(.badRequest, #"{"error":"invalid_request"}"#) }
        guard fault.isEmpty else {
            state.withLock { $0.malformed.append("assertion: \(fault)") }
            return Self.json(.badRequest, #"{"error":"invalid_grant","error_description":"\#(fault)"}"#)
        }
        let (status, number, lifetime) = state.withLock { state in
            state.assertions.append(assertion)
            if state.tokenStatus == 200 { state.tokens += 1 }
            return (state.tokenStatus, state.tokens, state.tokenLifetime)
        }
        guard status == 200 else { return Self.json(.init(code: status), #"{"error":"internal_failure"}"#) }
        return Self.json(
            .ok, #"{"access_token":"access-\#(number)","expires_in":\#(lifetime),"token_type":"Bearer"}"#)
    }

    private struct Header: Decodable { let alg, typ, kid: String }
    private struct Claims: Decodable {
        let iss, scope, aud: String
        let iat, exp: Int64
    }

    /// The fault of an assertion by Google's rules; empty if there is none.
    private func fault(in assertion: String, audience: String) -> String? {
        let parts = assertion.split(separator: ".").map(String.init)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]),
            let header = Base64URL.decode(parts[0]).flatMap({ try? JSONDecoder().decode(Header.self, from: Data($0)) }),
            let claims = Base64URL.decode(parts[1]).flatMap({ try? JSONDecoder().decode(Claims.self, from: Data($0)) })
        else { return "no JWT" }
        guard header.alg == "RS256", header.kid == "kid-1" else { return "header" }
        let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        let isSigned = key.publicKey.isValidSignature(
            .init(rawRepresentation: Data(signature)), for: digest, padding: .insecurePKCS1v1_5)
        guard isSigned else { return "signature" }
        guard claims.iss == "push@fitness-test.iam.gserviceaccount.com", claims.aud == audience,
            claims.scope == "https://www.googleapis.com/auth/firebase.messaging", claims.exp - claims.iat == 3_600
        else { return "claims" }
        return ""
    }

    // MARK: Messages

    private func send(_ request: Request, _ context: ChannelContext) async throws -> Response {
        guard request.uri.path.hasSuffix("/messages:send") else { return Response(status: .notFound) }
        let bearer = request.headers[.authorization]?.split(separator: " ").last.map(String.init) ?? ""
        let isKnown = state.withLock {
            $0.tokens > 0 && !$0.refusedTokens.contains(bearer) && bearer.hasPrefix("access-")
        }
        guard isKnown else { return Self.failure(401, "UNAUTHENTICATED") }
        let text = String(buffer: try await request.body.collect(upTo: 65_536))
        guard let message = Self.message(in: text) else {
            state.withLock { $0.malformed.append(text) }
            return Self.failure(400, "INVALID_ARGUMENT", field: "message")
        }
        let behaviour = state.withLock { state in
            state.attempts += 1
            let behaviour = state.script[message.target]?.first ?? .accept
            state.script[message.target] = state.script[message.target].map { Array($0.dropFirst()) }
            switch behaviour {
            case .accept, .reset(taken: true), .hang(taken: true): state.taken.append(message)
            default: break
            }
            return behaviour
        }
        switch behaviour {
        case .accept: return Self.json(.ok, #"{"name":"projects/fitness-test/messages/1"}"#)
        case .refuse(let status, let code, let field, let retryAfter):
            return Self.failure(status, code, field: field, retryAfter: retryAfter)
        case .reset:
            try? await context.channel.close()
            return Response(status: .internalServerError)
        case .hang:
            await withCheckedContinuation { continuation in state.withLock { $0.hanging.append(continuation) } }
            return Response(status: .internalServerError)
        }
    }

    private struct Envelope: Decodable {
        struct Message: Decodable {
            let token, topic: String?
            let notification: Notification
            let data: [String: String]
            let android: Android
            let apns: APNS
            let webpush: Android
        }
        struct Notification: Decodable { let title, body: String }
        struct Android: Decodable { let notification: Tag }
        struct Tag: Decodable { let tag: String }
        struct APNS: Decodable { let headers: [String: String] }
        let message: Message
    }

    /// Parses a message by Firebase's rules: known members only, one target, data of strings. Nil if it breaks one.
    private static func message(in text: String) -> Message? {
        guard let value = try? JSONReader.read(Array(text.utf8)), value.names == ["message"],
            Set(value["message"]?.names ?? []).isSubset(
                of: ["token", "topic", "notification", "data", "android", "apns", "webpush"]),
            let message = (try? JSONDecoder().decode(Envelope.self, from: Data(text.utf8)))?.message,
            (message.token == nil) != (message.topic == nil), message.android.notification.tag.utf8.count <= 64,
            message.apns.headers == ["apns-collapse-id": message.android.notification.tag],
            message.webpush.notification.tag == message.android.notification.tag
        else { return nil }
        return Message(
            target: message.token.map { "token:\($0)" } ?? "topic:\(message.topic ?? "")",
            title: message.notification.title, body: message.notification.body, data: message.data,
            tag: message.android.notification.tag)
    }

    /// An error in the format of Google's APIs.
    private static func failure(
        _ status: Int, _ code: String, field: String? = nil, retryAfter: String? = nil
    ) -> Response {
        var details = [
            #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
        ]
        if let field {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(field)"}]}"#)
        }
        let canonical = status == 404 ? "NOT_FOUND" : code
        let members = #""code":\#(status),"message":"m","status":"\#(canonical)""#
        var response = json(
            .init(code: status), #"{"error":{\#(members),"details":[\#(details.joined(separator: ","))]}}"#)
        response.headers[.retryAfter] = retryAfter
        return response
    }

    private static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"], body: .init(byteBuffer: .init(string: text)))
    }
}

/// A request with its connection, which a test can cut.
package struct ChannelContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
