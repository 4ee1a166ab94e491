import Database
import Foundation
import GraphAPI
import Push
import SocialGraph
import Synchronization

/// Sends messages with Firebase Cloud Messaging, HTTP v1.
package final class FirebaseSender: Sendable {
    /// Milliseconds for which sending to Firebase pauses when it grants no access token, or refuses one.
    static let tokenPause: Int64 = 10_000

    /// State derived from the service account.
    private struct Access: Sendable {
        let tokens: AccessTokens
        let url: String
    }

    private let access: Mutex<Access>
    private let base: String
    private let limit: Duration
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - base: the URL of Firebase, without a slash at its end.
    ///   - limit: the longest time of an attempt.
    ///   - now: milliseconds since 1970.
    package init(
        account: ServiceAccount, base: String, limit: Duration = PushTransport.attempt,
        now: @escaping @Sendable () -> Int64
    ) {
        self.base = base
        self.limit = limit
        self.now = now
        access = Mutex(Self.access(account, base, limit, now))
    }

    /// Switches to another service account, or to another key of it.
    package func use(_ account: ServiceAccount) {
        let fresh = Self.access(account, base, limit, now)
        access.withLock { $0 = fresh }
    }

    private static func access(
        _ account: ServiceAccount, _ base: String, _ limit: Duration, _ now: @escaping @Sendable () -> Int64
    ) -> Access {
        Access(
            tokens: AccessTokens(grant: { try await grant(account, within: limit, now) }, now: now),
            url: "\(base)/v1/projects/\(account.project)/messages:send")
    }

    /// Returns a user's own topic.
    package static func topic(of user: UserID) -> String { "fitness_updates_\(user.rawValue)" }

    package func send(_ delivery: PushDelivery) async -> SendResult {
        do {
            let body = Self.body(of: delivery)
            let access = access.withLock { $0 }
            // A refused access token is renewed once: a second refusal has another cause.
            for _ in 0..<2 {
                let token: String
                do {
                    token = try await access.tokens.token()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    return .blocked(for: Self.tokenPause, "no access token: \(error)")
                }
                let answer = try await PushTransport.post(
                    access.url,
                    headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")], body: body,
                    within: limit)
                let said = FirebaseAnswer(answer, now: now())
                guard said == .unauthenticated else { return Self.result(said, Int64(answer.status)) }
                await access.tokens.refuse(token)
            }
            return .blocked(for: Self.tokenPause, "the access token was refused")
        } catch {
            return .failed(status: nil, Self.name(of: error), retryAfter: nil)
        }
    }

    private static func result(_ said: FirebaseAnswer, _ status: Int64) -> SendResult {
        switch said {
        case .sent: .taken
        case .badToken: .gone
        case .rejected(let code): .refused(status: status, code)
        case .quotaExceeded(let pause): .blocked(for: pause, "QUOTA_EXCEEDED")
        case .unavailable(let code, let retryAfter): .failed(status: status, code, retryAfter: retryAfter)
        case .unauthenticated: .blocked(for: Self.tokenPause, "the access token was refused")
        }
    }

    /// `{"message": {"token" or "topic", notification, data, …}}`
    private static func body(of delivery: PushDelivery) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: delivery.payload.utf8.count + 256)
        json.beginObject()
        json.key("message")
        json.beginObject()
        switch delivery.target {
        case .device(let token):
            json.member("token", token)
        case .topic, .webhook:
            json.member("topic", topic(of: delivery.user))
        }
        json.raw(Array(delivery.payload.utf8))
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// Trades an assertion for an access token (RFC 7523, section 2.1).
    private static func grant(
        _ account: ServiceAccount, within limit: Duration, _ now: @Sendable () -> Int64
    ) async throws -> AccessTokens.Granted {
        let assertion = try await account.assertion(now: now())
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let answer = try await PushTransport.post(
            account.tokenURL, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8), within: limit)
        guard answer.status == 200 else { throw NoToken(description: "the token endpoint answers \(answer.status)") }
        let granted = try JSONDecoder().decode(TokenAnswer.self, from: Data(answer.body))
        return .init(token: granted.token, expiresAt: now() + min(max(granted.lifetime, 0), 86_400) * 1_000)
    }

    /// Returns only the kind of an error, since its text may repeat the request.
    private static func name(of error: any Error) -> String { "no answer: \(type(of: error))" }

    private struct NoToken: Error, CustomStringConvertible {
        let description: String
    }

    private struct TokenAnswer: Decodable {
        let token: String
        /// Seconds.
        let lifetime: Int64

        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case lifetime = "expires_in"
        }
    }
}
