import Crypto
import Database

/// The number of rows of a table, and the SHA-256 of all of them in the order of their keys.
struct TableDigest: Sendable, Equatable {
    private static let rowsAtOnce = 1_000

    private(set) var rows = 0
    let sha256: [UInt8]

    init(of statements: TableStatements, in database: any GraphDatabase) async throws {
        var hash = SHA256()
        var last: [SQLValue]?
        while true {
            let after = last
            let page = try await database.read {
                try statements.page(after: after, limit: Self.rowsAtOnce, $0)
            }
            for value in page.lazy.joined() { Self.add(value, to: &hash) }
            rows += page.count
            guard page.count == Self.rowsAtOnce, let end = page.last else { break }
            last = statements.key(of: end)
        }
        sha256 = Array(hash.finalize())
    }

    /// Adds a byte for the type, and the value; one of variable length follows its length.
    private static func add(_ value: SQLValue, to hash: inout SHA256) {
        switch value {
        case .null: add(0, [], to: &hash)
        case .integer(let number): add(1, bytes(UInt64(bitPattern: number)), to: &hash)
        case .real(let number): add(2, bytes(number.bitPattern), to: &hash)
        case .text(let text):
            add(3, bytes(UInt64(text.utf8.count)), to: &hash)
            hash.update(data: Array(text.utf8))
        case .blob(let blob):
            add(4, bytes(UInt64(blob.count)), to: &hash)
            hash.update(data: blob)
        }
    }

    private static func add(_ type: UInt8, _ bytes: [UInt8], to hash: inout SHA256) {
        hash.update(data: [type] + bytes)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
