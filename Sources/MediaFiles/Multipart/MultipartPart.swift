import GraphServices
import SocialGraph
import Text

/// The headers of one part of a form (RFC 7578 §4).
package struct MultipartPart: Sendable, Equatable {
    /// The name of the form's field; several parts may have the same.
    package let name: String
    /// The client's name of the file, never used as a name here. Nil if the part is not a file, or has no file name.
    package let fileName: String?
    /// The media type according to the client, in lower case without parameters.
    package let contentType: String?

    /// Reads the lines between the delimiter and the empty line, without the last CRLF.
    ///
    /// - Throws: `Problem` 400 `malformed_multipart`.
    package init(headers bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Self.malformed("The header of a part must be UTF-8 without NUL characters.")
        }
        guard StreamSafeText.holds(bytes) else {
            throw Self.malformed("The header of a part is not valid: \(StreamSafeText.rule).")
        }
        let headers = try Self.fields(text)
        guard let disposition = headers["content-disposition"].flatMap({ HeaderParameters($0) }),
            disposition.value == "form-data", let name = disposition.parameters["name"], !name.isEmpty
        else {
            throw Self.malformed("Every part must have the header \"Content-Disposition: form-data; name=…\".")
        }
        let kind = headers["content-type"].flatMap { HeaderParameters($0) }?.value
        if let kind, kind.hasPrefix("multipart/") {
            throw Self.malformed("A part must not be multipart itself. Send several parts with one name.")
        }
        if let encoding = headers["content-transfer-encoding"]?.lowercased(),
            !["binary", "8bit", "7bit"].contains(encoding)
        {
            throw Self.malformed("The content of a part must be sent without a Content-Transfer-Encoding.")
        }
        self.name = Self.unescaped(name)
        fileName = disposition.parameters["filename"]
        contentType = kind
    }

    /// Returns the fields by lower-case name.
    private static func fields(_ text: String) throws -> [String: String] {
        var fields: [String: String] = [:]
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            // The last line has already lost its CRLF.
            let isLast = index == lines.count - 1
            let line = isLast ? line : line.dropLast()
            guard isLast || lines[index].last == UInt8(ascii: "\r"), !line.contains(UInt8(ascii: "\r")),
                let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
                !line[..<colon].contains(where: { $0 <= 0x20 || $0 >= 0x7F })
            else { throw malformed("Every line of a part's header must be \"name: value\" and end with CRLF.") }
            let name = String(Substring(line[..<colon])).lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard fields.updateValue(String(Substring(value)), forKey: name) == nil else {
                throw malformed("A part must not repeat a header.")
            }
        }
        return fields
    }

    /// Browsers write quotes and line ends in names as `%22`, `%0D` and `%0A` (HTML Living Standard §4.10.21.8).
    private static func unescaped(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        return name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    package static func malformed(_ detail: String) -> Problem { Problem(.malformedMultipart, detail) }
}
