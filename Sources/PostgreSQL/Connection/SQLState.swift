/// A code of five characters with which a server classifies an error (SQLSTATE).
struct SQLState: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let code: String

    init(_ code: String) { self.code = code }
    init(stringLiteral code: String) { self.code = code }

    var description: String { code }

    static let diskFull: SQLState = "53100"
    static let tooManyConnections: SQLState = "53300"
    static let cannotConnectNow: SQLState = "57P03"
    static let queryCanceled: SQLState = "57014"
    static let lockNotAvailable: SQLState = "55P03"
    static let insufficientPrivilege: SQLState = "42501"

    private static let corruption: Set<SQLState> = ["XX001", "XX002"]

    /// A server that ends the connection, cannot serve yet, or has become a standby; a transaction that lost against
    /// another; a prepared statement that the server has forgotten or that no longer fits its tables.
    private static let passing: Set<SQLState> = [
        "08000", "08003", "08006", "0A000", "25006", "25P03", "26000", "40001", "40P01", "53200", "53300", "57P01",
        "57P02", "57P03", "57P05", "55P03",
    ]

    var isDiskFull: Bool { self == Self.diskFull }
    var isCorruption: Bool { Self.corruption.contains(self) }
    /// True if the same work may succeed on a new connection.
    var isPassing: Bool { Self.passing.contains(self) }

    /// True for an error of one request: data that do not fit (22), a violated constraint (23), values that are too
    /// large (54), an exception of a trigger (P0001). All others are errors of the engine.
    var isOfRequest: Bool {
        code.hasPrefix("22") || code.hasPrefix("23") || code.hasPrefix("54") || code == "P0001"
    }
}
