import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct FirebaseAnswerTests {
    private static func error(
        _ status: String, _ code: String? = nil, message: String = "m", field: String? = nil
    ) -> String {
        var details: [String] = []
        if let code {
            details.append(#"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#)
        }
        if let field {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(field)"}]}"#)
        }
        let members = #""code":0,"message":"\#(message)","status":"\#(status)""#
        return #"{"error":{\#(members),"details":[\#(details.joined(separator: ","))]}}"#
    }

    private static let badToken = "The registration token is not a valid FCM registration token"

    @Test(arguments: [
        (200, #"{"name":"projects/p/messages/1"}"#, nil, FirebaseAnswer.sent),
        (404, error("NOT_FOUND", "UNREGISTERED"), nil, .badToken("UNREGISTERED")),
        (404, error("NOT_FOUND"), nil, .rejected("NOT_FOUND")),
        (404, "<html>", nil, .rejected("404")),
        (
            400, error("INVALID_ARGUMENT", "INVALID_ARGUMENT", field: "message.token"), nil,
            .badToken("INVALID_ARGUMENT")
        ),
        (400, error("INVALID_ARGUMENT", "INVALID_ARGUMENT", message: badToken), nil, .badToken("INVALID_ARGUMENT")),
        (
            400, error("INVALID_ARGUMENT", "INVALID_ARGUMENT", message: badToken, field: "message.data"), nil,
            .rejected("INVALID_ARGUMENT")
        ),
        (400, error("INVALID_ARGUMENT"), nil, .rejected("INVALID_ARGUMENT")),
        (403, error("PERMISSION_DENIED", "SENDER_ID_MISMATCH"), nil, .badToken("SENDER_ID_MISMATCH")),
        (403, error("PERMISSION_DENIED"), nil, .rejected("PERMISSION_DENIED")),
        (401, error("UNAUTHENTICATED"), nil, .unauthenticated),
        (
            401, error("UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), nil,
            .unavailable("THIRD_PARTY_AUTH_ERROR", retryAfter: nil)
        ),
        (429, error("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), "7", .quotaExceeded(7_000)),
        (429, error("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), nil, .quotaExceeded(60_000)),
        (500, error("INTERNAL", "INTERNAL"), nil, .unavailable("INTERNAL", retryAfter: nil)),
        (503, error("UNAVAILABLE", "UNAVAILABLE"), "30", .unavailable("UNAVAILABLE", retryAfter: 30_000)),
        (502, "", nil, .unavailable("502", retryAfter: nil)),
    ])
    func `what Firebase says is understood`(status: Int, body: String, retryAfter: String?, expected: FirebaseAnswer) {
        var headers = HTTPHeaders()
        if let retryAfter { headers.add(name: "retry-after", value: retryAfter) }
        let answer = PushAnswer(status: status, headers: headers, body: Array(body.utf8))
        #expect(FirebaseAnswer(answer, now: 0) == expected)
    }

    @Test(arguments: [
        ("5", 5_000), (" 0 ", 0), ("999999999999999999999", 3_600_000), ("7200", 3_600_000),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 10_000), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("", nil), ("-1", nil),
        ("1.5", nil), ("soon", nil), (nil, nil),
    ])
    func `Retry-After is seconds or a date`(text: String?, expected: Int64?) {
        #expect(RetryAfter.milliseconds(text, now: 784_111_767_000) == expected)
    }

    @Test func `pauses grow until it is given up`() {
        var backoff = PushBackoff(first: 1_000, factor: 4, longest: 50_000, attempts: 6, random: { 0 })
        #expect((1...6).map { backoff.pause(after: Int64($0)) } == [500, 2_000, 8_000, 25_000, 25_000, nil])
        backoff.random = { 0.5 }
        #expect((1...6).map { backoff.pause(after: Int64($0)) } == [750, 3_000, 12_000, 37_500, 37_500, nil])
        let day = (1...20).compactMap { PushBackoff.webhooks.pause(after: $0) }.reduce(0, +)
        #expect((6 * 3_600_000...24 * 3_600_000).contains(day))
    }

    /// Values from the tests of the reference implementations (standardwebhooks.com), confirmed by another
    /// implementation of HMAC.
    @Test func `signatures are those of Standard Webhooks`() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = WebhookSignature.headers(
            message: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            secret: Array(secret))
        #expect(headers.map(\.0) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            headers.map(\.1) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
        #expect(WebhookSignature.text(of: [1, 2, 3]) == "whsec_AQID")
        #expect(
            WebhookSignature.newSecret().count == 32 && WebhookSignature.newSecret() != WebhookSignature.newSecret())
    }
}
