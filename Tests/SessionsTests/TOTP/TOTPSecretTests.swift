import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.unit))
struct TOTPSecretTests {
    /// The key of RFC 6238, appendix B.
    private let secret = TOTPSecret(bytes: Array("12345678901234567890".utf8))

    /// The last six of the eight digits that the RFC lists.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func `codes are those of RFC 6238`(seconds: Int64, code: String) {
        #expect(secret.code(at: TOTPSecret.step(at: seconds * 1_000)) == code)
    }

    @Test func `a code is good for its step and the ones beside it, and only after the last used one`() {
        let now: Int64 = 1_234_567_890_000
        let step = TOTPSecret.step(at: now)
        for drift in -1...1 as ClosedRange<Int64> {
            #expect(secret.step(of: secret.code(at: step + drift), at: now, after: 0) == step + drift)
        }
        for drift in [-2, 2] as [Int64] {
            #expect(secret.step(of: secret.code(at: step + drift), at: now, after: 0) == nil)
        }
        #expect(secret.step(of: secret.code(at: step), at: now, after: step) == nil)
        #expect(secret.step(of: secret.code(at: step - 1), at: now, after: step) == nil)
        #expect(secret.step(of: secret.code(at: step + 1), at: now, after: step) == step + 1)
    }

    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func `base32 is that of RFC 4648`(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
    }

    @Test func `the address names site and account, with nothing of theirs between its parts`() {
        #expect(
            secret.url(issuer: "A&B: é", account: "ann") == "otpauth://totp/A%26B%3A%20%C3%A9:ann"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%26B%3A%20%C3%A9&algorithm=SHA1&digits=6&period=30")
        #expect(TOTPSecret().bytes.count == 20 && TOTPSecret() != TOTPSecret())
    }

    @Test func `what users enter is a code, a recovery code or neither`() throws {
        #expect(TOTPProof(presented: "123 456") == .code("123456"))
        #expect(TOTPProof(presented: "012345") == .code("012345"))
        let code = RecoveryCode()
        #expect(code.text.count == 19 && code.text.split(separator: "-").map(\.count) == [4, 4, 4, 4])
        for text in [code.text, code.text.uppercased(), code.text.filter { $0 != "-" }, " \(code.text) "] {
            #expect(TOTPProof(presented: text) == .recoveryCode(code))
        }
        let bad = [
            "", "12345", "1234567", "12345a", "١٢٣٤٥٦", "abcd-efgh-ijkl-mno1", code.text + "a",
            String(repeating: " ", count: 60) + "123456", "123456\0",
        ]
        for text in bad { #expect(TOTPProof(presented: text) == nil, "\(text)") }
    }
}
