import GraphAPI
import HTTPTypes

/// What tells one file from another (RFC 9110 §8.8), and what conditional requests are decided by.
package struct FileValidators: Sendable, Equatable {
    /// Strong: the digest of the content.
    let entityTag: String
    /// Of whole seconds, as HTTP writes dates.
    let lastModified: String

    /// - Parameter modified: milliseconds since 1970.
    package init(sha256: [UInt8], modified: Int64) {
        entityTag = "\"\(Self.hexadecimal(sha256))\""
        lastModified = Self.date(modified)
    }

    /// Two lower-case digits a byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Whether the client has the file already: then it is told so (304).
    ///
    /// A date is compared as text: a file never changes, and clients send back the date that they were given.
    package func match(_ headers: HTTPFields) -> Bool {
        let tags = headers[values: .ifNoneMatch]
        guard tags.isEmpty else { return tags.contains(where: isListed) }
        return headers[.ifModifiedSince] == lastModified
    }

    /// Whether a range may be sent: there is no condition, or the file is the one that the client has the rest of.
    package func allowRange(_ headers: HTTPFields) -> Bool {
        guard let condition = headers[.ifRange] else { return true }
        return condition == entityTag || condition == lastModified
    }

    /// `*`, or a list of tags that are compared weakly. Ours has neither commas nor white space in it.
    private func isListed(in list: String) -> Bool {
        list.split(separator: ",").contains { element in
            let tag = element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
        }
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
