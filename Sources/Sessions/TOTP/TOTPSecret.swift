import Crypto
import Foundation

/// The key that a user's authenticator shares with the server, and the one-time codes it gives: TOTP (RFC 6238) with
/// HMAC-SHA-1, six digits and steps of 30 seconds, the only kind that every authenticator supports.
package struct TOTPSecret: Sendable, Equatable {
    /// Length in bytes: that of the hash, as RFC 4226, section 4, recommends.
    static let length = 20
    /// Milliseconds of a step.
    package static let step: Int64 = 30_000
    /// Digits of a code.
    package static let digits = 6
    /// Steps by which a clock may be wrong, before or after.
    static let drift: Int64 = 1

    let bytes: [UInt8]

    /// Creates a new secret.
    init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The secret as an authenticator accepts it from the keyboard.
    package var base32: String { Base32.encode(bytes) }

    /// An address that an authenticator reads from a picture, in the format of Google Authenticator's key URIs.
    ///
    /// - Parameters:
    ///   - issuer: names the site.
    ///   - account: names the account to its owner.
    package func url(issuer: String, account: String) -> String {
        let (issuer, account) = (Self.escape(issuer), Self.escape(account))
        return "otpauth://totp/\(issuer):\(account)?secret=\(base32)&issuer=\(issuer)&algorithm=SHA1"
            + "&digits=\(Self.digits)&period=\(Self.step / 1_000)"
    }

    /// The step of a time in milliseconds since 1970.
    package static func step(at time: Int64) -> Int64 { time / step }

    /// The code of a step, with leading zeros (RFC 4226, section 5.3).
    package func code(at step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * Int64($0))) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: bytes)))
        let offset = Int(hash[hash.count - 1] & 0xF)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let code = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - code.utf8.count) + code
    }

    /// The step whose code is `code`, near a time in milliseconds since 1970; nil if there is none later than `last`,
    /// the step of the code that was used last.
    func step(of code: String, at time: Int64, after last: Int64) -> Int64? {
        let now = Self.step(at: time)
        return (now - Self.drift...now + Self.drift).first { $0 > last && self.code(at: $0) == code }
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Those of RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// Base32 without padding (RFC 4648, section 6).
enum Base32 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    static func encode(_ bytes: [UInt8]) -> String {
        var (text, bits, count) = ("", UInt32(0), 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> UInt32(count) & 31)])
            }
            bits &= 1 << UInt32(count) - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(5 - count) & 31)]) }
        return text
    }
}
