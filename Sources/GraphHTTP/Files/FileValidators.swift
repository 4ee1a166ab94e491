import GraphAPI
import HTTPMiddleware
import HTTPTypes

/// The validators of a file (RFC 9110 §8.8), which decide conditional requests.
package struct FileValidators: Sendable, Equatable {
    /// A strong tag: the digest of the content.
    var entityTag: String { tag.text }
    private let tag: EntityTag
    /// The date in whole seconds, in HTTP format.
    let lastModified: String

    /// - Parameter modified: milliseconds since 1970.
    package init(sha256: [UInt8], modified: Int64) {
        tag = EntityTag(strong: Self.hexadecimal(sha256))
        lastModified = Self.date(modified)
    }

    /// Returns two lower-case digits a byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns true if the client already has the file; the answer is then 304.
    ///
    /// A date is compared as text: a file never changes, and clients send back the date that they were given.
    package func match(_ headers: HTTPFields) -> Bool {
        tag.matches(headers) ?? (headers[.ifModifiedSince] == lastModified)
    }

    /// Returns true if a range may be sent: there is no condition, or the client's part is of the same file.
    package func allowRange(_ headers: HTTPFields) -> Bool {
        guard let condition = headers[.ifRange] else { return true }
        return condition == entityTag || condition == lastModified
    }

    /// `Sat, 21 Nov 2026 02:04:05 GMT` (RFC 9110 §5.6.7).
    private static func date(_ milliseconds: Int64) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = CivilTime(millisecondsSince1970: milliseconds)
        let day = days[Int(max(milliseconds, 0) / 86_400_000 % 7)]
        let clock = [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
        return "\(day), \(twoDigits(time.day)) \(months[Int(time.month) - 1]) \(time.year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
