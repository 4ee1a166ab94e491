import Crypto

/// The length and the SHA-256 of a file's content.
package struct FileDigest: Sendable, Equatable {
    package let bytes: Int64
    /// 32 bytes.
    package let sha256: [UInt8]

    static let sha256Bytes = 32

    package init(bytes: Int64, sha256: [UInt8]) {
        self.bytes = bytes
        self.sha256 = sha256
    }

    init(of content: [UInt8]) {
        self.init(bytes: Int64(content.count), sha256: Array(SHA256.hash(data: content)))
    }

    var hexadecimal: String { Self.hexadecimal(sha256) }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses 64 lower-case hexadecimal digits; nil for anything else.
    static func sha256(hexadecimal text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map(value)
        guard digits.count == 2 * sha256Bytes, digits.allSatisfy({ $0 != nil }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// - Throws: ``DamagedFile`` unless this is the digest of the content of `path`.
    func require(_ found: FileDigest, of path: String) throws {
        if found.bytes != bytes {
            throw DamagedFile(path: path, difference: "it has \(found.bytes) bytes, and \(bytes) were recorded")
        }
        guard found.sha256 == sha256 else {
            throw DamagedFile(path: path, difference: "its SHA-256 is not the recorded one")
        }
    }
}
