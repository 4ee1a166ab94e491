import AsyncHTTPClient
import Database
import NIOCore
import Push
import SocialGraph
import Tracing
import TracingSpans

/// Sends messages to webhooks, by Standard Webhooks 1.0: any 2xx accepts the message, 410 ends the webhook, and
/// everything else is retried. No redirect is followed: it could lead anywhere.
package struct WebhookSender: Sendable {
    /// Longest time for connecting.
    static let connectTime = Duration.seconds(5)
    /// Milliseconds until the next attempt if too many names wait to be resolved.
    static let busyPause: Int64 = 5_000

    package let addresses: AddressGuard
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Longest time of an attempt.
    package var limit = PushTransport.attempt

    package init(addresses: AddressGuard, now: @escaping @Sendable () -> Int64, limit: Duration = PushTransport.attempt)
    {
        self.addresses = addresses
        self.now = now
        self.limit = limit
    }

    package func send(_ delivery: PushDelivery) async -> SendResult {
        guard case .webhook(let url, let secret) = delivery.target else {
            return .refused(status: nil, Self.invalidURL)
        }
        return await send(
            Self.messageID(delivery.message), Array(delivery.payload.utf8), to: url, secret: secret,
            for: .user(delivery.user.rawValue))
    }

    private static let invalidURL = "the URL of the webhook is not valid"

    /// Sends `body` under the id `message`, to a webhook of `holder`.
    package func send(
        _ message: String, _ body: [UInt8], to text: String, secret: [UInt8], for holder: BudgetHolder
    ) async -> SendResult {
        guard let url = WebhookURL(text) else { return .refused(status: nil, Self.invalidURL) }
        do {
            let address = try await addresses.address(of: url, for: holder)
            let signature = WebhookSignature.headers(
                message: message, seconds: now() / 1_000, body: body, secret: secret)
            // The body could be endless, and is not read.
            let answer = try await Self.post(url, at: address, Self.headers + signature, body, within: limit)
            return Self.result(of: answer, now: now())
        } catch AddressGuard.Refusal.notPublic {
            return .refused(status: nil, "\(AddressGuard.Refusal.notPublic)")
        } catch let refusal as AddressGuard.Refusal {
            return .failed(status: nil, "\(refusal)", retryAfter: nil)
        } catch let problem as Problem where problem.code == .busy {
            return .postponed(for: Self.busyPause, "too many names wait to be resolved")
        } catch {
            return .failed(status: nil, "no answer: \(error)", retryAfter: nil)
        }
    }

    /// The id by which a receiver distinguishes messages: the same for each attempt.
    package static func messageID(_ message: Int64) -> String { "msg_\(message)" }

    package static let headers = [("Content-Type", "application/json"), ("User-Agent", "graphd")]

    private static func result(of answer: PushAnswer, now: Int64) -> SendResult {
        switch answer.status {
        case 200..<300: .taken
        case 410: .gone
        default:
            .failed(
                status: Int64(answer.status), "answered \(answer.status)",
                retryAfter: RetryAfter.milliseconds(answer.retryAfter, now: now))
        }
    }

    /// Sends the request over a client of its own: name resolution is part of a client's configuration, and a kept
    /// connection would outlive the check of its address. The certificate is still checked against the name.
    package static func post(
        _ url: WebhookURL, at address: IPAddress, _ headers: [(String, String)], _ body: [UInt8],
        readingAnswer: Bool = false, within limit: Duration = PushTransport.attempt
    ) async throws -> PushAnswer {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = TimeAmount(Self.connectTime)
        if url.address == nil { configuration.dnsOverride = [url.host: address.description] }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let answer = try await traced(headers) { headers in
                try await PushTransport.post(
                    url.text, headers: headers, body: body, over: client, readingAnswer: readingAnswer, within: limit)
            }
            try? await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// Adds the header `traceparent` of a span around the request, if the server traces. The span does not name the
    /// receiver, whose URL may hold a secret.
    private static func traced(
        _ headers: [(String, String)], _ post: ([(String, String)]) async throws -> PushAnswer
    ) async throws -> PushAnswer {
        guard let tracer = SpanTracer.ambient else { return try await post(headers) }
        return try await tracer.withSpan("POST webhook", ofKind: .client) { span in
            let answer = try await post(headers + [("traceparent", TraceParent.write(span.identity))])
            span.attributes["http.response.status_code"] = answer.status
            return answer
        }
    }
}
