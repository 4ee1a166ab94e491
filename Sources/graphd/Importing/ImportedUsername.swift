import GraphServices
import SocialGraph
import Text

/// The username that an imported name means.
enum ImportedUsername {
    /// Turns `17` into `u17`; anything else must be a username that sign-up accepts. Throws ``LineProblem``.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, field: String) throws -> String {
        guard !bytes.isEmpty else { throw LineProblem("\(field) is empty", "a username or a number is expected") }
        guard bytes.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw LineProblem("\(field) is not UTF-8 text", "a username or a number is expected")
            }
            return try parse(text, field: field)
        }
        let limit = RequestLimits.usernameLength.upperBound
        guard bytes.count < limit else {
            throw LineProblem("\(field) has \(bytes.count) digits", "a username may have at most \(limit - 1)")
        }
        return String(unsafeUninitializedCapacity: bytes.count + 1) { name in
            name[0] = UInt8(ascii: "u")
            for (index, byte) in bytes.enumerated() { name[index + 1] = byte }
            return bytes.count + 1
        }
    }

    private static func parse(_ text: String, field: String) throws -> String {
        do {
            return try TextRules.username(text, field: field)
        } catch let problem as Problem {
            throw LineProblem("\"\(text.echoed)\" is not a username", problem.detail)
        }
    }

    /// Returns true if two usernames belong to one user: case does not count.
    static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
