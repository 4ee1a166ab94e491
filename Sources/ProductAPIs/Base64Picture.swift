import Foundation
import GraphServices

/// The bytes of a picture that a request holds in Base64.
enum Base64Picture {
    /// Decodes Base64 (RFC 4648) with line breaks and other white space, and with the prefix of a data URL, such as
    /// `data:image/png;base64,`. The type is judged by the bytes, not by the prefix.
    ///
    /// - Throws: `Problem` 422 `invalid_value`, which says what is wrong.
    static func bytes(_ text: String, field: String) throws -> [UInt8] {
        var start = text.utf8.startIndex
        if text.utf8.prefix(5).elementsEqual("data:".utf8) {
            guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")), text[..<comma].hasSuffix(";base64") else {
                throw malformed(field, "it starts like a data URL, but not with \"data:image/…;base64,\"")
            }
            start = text.utf8.index(after: comma)
        }
        var (digits, padding) = (Data(), 0)
        for index in text.utf8[start...].indices {
            switch text.utf8[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                guard padding == 0 else { throw malformed(field, paddingRule) }
                digits.append(text.utf8[index])
            case UInt8(ascii: "="):
                digits.append(text.utf8[index])
                padding += 1
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default:
                let offset = text.utf8.distance(from: text.utf8.startIndex, to: index)
                // The scalar alone: a character may have any number of them.
                let scalar = text.unicodeScalars[index]
                throw malformed(field, "\"\(scalar)\" at byte \(offset) is none of its characters")
            }
        }
        guard !digits.isEmpty else { throw malformed(field, "it has no characters") }
        guard digits.count % 4 == 0 else {
            throw malformed(field, "it has \(digits.count) characters, which is not a multiple of 4")
        }
        guard padding <= 2, let bytes = Data(base64Encoded: digits), !bytes.isEmpty else {
            throw malformed(field, paddingRule)
        }
        return Array(bytes)
    }

    private static let paddingRule = "\"=\" may only pad its end, and at most twice"

    private static func malformed(_ field: String, _ reason: String) -> Problem {
        Problem(.invalidValue, "\"\(field)\" is not a picture in Base64: \(reason).", field: field)
    }
}
