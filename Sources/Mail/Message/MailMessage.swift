import Glibc

/// A mail of plain ASCII text, to one person.
package struct MailMessage: Sendable, Equatable {
    /// Columns after which lines are broken at a space (RFC 5322, section 2.1.1).
    static let columns = 78
    /// Bytes that no line may exceed.
    static let lineLimit = 998

    package let from: MailAddress
    package let to: MailAddress
    package let subject: String
    /// The text, its lines separated by `\n`.
    package let text: String
    /// Milliseconds since 1970.
    package let date: Int64
    /// The message id without angle brackets: the same for each attempt to send the message.
    package let id: String
    /// The reason for the mail and the token in its text, for receivers that write their own text.
    package let kind: String
    package let token: String?

    /// - Throws: ``MailFault`` for a subject or id with anything but printable ASCII, which could begin another field,
    ///   and for a text with other characters or with a line that is too long.
    package init(
        from: MailAddress, to: MailAddress, subject: String, text: String, date: Int64, id: String, kind: String,
        token: String? = nil
    ) throws {
        for (name, value) in [("subject", subject), ("message id", id)] {
            guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
                throw MailFault("the \(name) of a mail must be printable ASCII")
            }
        }
        guard !id.utf8.contains(where: { " <>".utf8.contains($0) }) else {
            throw MailFault("the message id of a mail must have no spaces or angle brackets")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == UInt8(ascii: "\n") }) else {
            throw MailFault("the text of a mail must be printable ASCII")
        }
        let longest = (text + "\n" + subject).utf8.split(whereSeparator: Self.isBreak).map(\.count).max() ?? 0
        guard longest <= Self.lineLimit - Self.columns else {
            throw MailFault("a word of a mail may have at most \(Self.lineLimit - Self.columns) bytes; got \(longest)")
        }
        (self.from, self.to, self.subject, self.text) = (from, to, subject, text)
        (self.date, self.id, self.kind, self.token) = (date, id, kind, token)
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

    /// The message with its header (RFC 5322), 7 bit, lines ended by CR and LF.
    package var rendered: String {
        let fields = [
            ("Date", Self.time(date)), ("From", from.field), ("To", to.field), ("Subject", subject),
            ("Message-ID", "<\(id)>"), ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=us-ascii"),
            ("Content-Transfer-Encoding", "7bit"), ("Auto-Submitted", "auto-generated"),
        ]
        var lines = fields.flatMap { Self.folded("\($0): \($1)", next: " ") } + [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines += Self.folded(String(line), next: "")
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Breaks a line at spaces so that no part exceeds ``columns``, if it has spaces for that. `next` precedes each
    /// further part: a space continues a header field.
    private static func folded(_ line: String, next: String) -> [String] {
        guard line.utf8.count > columns else { return [line] }
        var parts: [String] = []
        var part = ""
        for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0, part.utf8.count + 1 + word.utf8.count > columns, !isBlank(part) {
                parts.append(part)
                part = next + word
            } else {
                part += index > 0 ? " " + word : String(word)
            }
        }
        return parts + [part]
    }

    /// A line of spaces alone would end a header field.
    private static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy { $0 == 0x20 } }

    /// The time in the form of RFC 5322, section 3.3: `Wed, 25 Nov 2026 16:00:00 +0000`.
    package static func time(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
        return "\(day) \(parts.tm_year + 1_900) \(time) +0000"
    }
}

/// A mail or transport that cannot be used.
package struct MailFault: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
