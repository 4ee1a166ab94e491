import CPQ
import Database

/// The complete result of one statement, in memory.
final class ServerResult {
    fileprivate let pointer: OpaquePointer

    /// Takes over a result of libpq.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var count: Int { Int(PQntuples(pointer)) }
    /// Name of the executed command, such as COMMIT or INSERT 0 1.
    var command: String { String(cString: PQcmdStatus(pointer)) }
    /// Rows that the statement has changed.
    var changedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The server's classification and message; nil: it has given none, because the connection ended.
    var failure: (state: SQLState, message: String)? {
        guard let state = field("C") else { return nil }
        let detail = field("M").map { "\($0)" } ?? ""
        return (SQLState(state), detail)
    }

    private func field(_ name: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, CInt(name.value)).map { String(cString: $0) }
    }

    /// The message of libpq.
    var message: String { String(cString: PQresultErrorMessage(pointer)) }

    /// Calls `body` for each row until it returns false. The rest is discarded.
    func forEachRow(_ body: (any SQLRow) throws -> Bool) rethrows {
        let row = ServerRow(self)
        for index in 0..<count {
            row.index = CInt(index)
            if try !body(row) { return }
        }
    }
}

/// A row of a result.
private final class ServerRow: SQLRow {
    private let result: ServerResult
    fileprivate var index: CInt = 0

    init(_ result: ServerResult) { self.result = result }

    func integer(_ column: Int) -> Int64 {
        assert(!isNull(column), "a column that may be NULL is read as an optional")
        return optionalInteger(column) ?? 0
    }

    func optionalInteger(_ column: Int) -> Int64? {
        switch value(column) {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : .min)
        case .bytes(let bytes): Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
        case nil: nil
        }
    }

    func optionalReal(_ column: Int) -> Double? {
        switch value(column) {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .bytes(let bytes): Double(String(decoding: bytes, as: UTF8.self)) ?? 0
        case nil: nil
        }
    }

    func text(_ column: Int) -> String {
        assert(!isNull(column), "a column that may be NULL is read as an optional")
        return optionalText(column) ?? ""
    }

    func optionalText(_ column: Int) -> String? {
        switch value(column) {
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case nil: nil
        }
    }

    func blob(_ column: Int) -> [UInt8] { optionalBlob(column) ?? [] }

    func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : Array(bytes(column)) }

    private func value(_ column: Int) -> ServerValue? {
        if isNull(column) { return nil }
        return ServerValue(bytes(column), type: PQftype(result.pointer, CInt(column)))
    }

    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let start = PQgetvalue(result.pointer, index, CInt(column))
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result.pointer, index, CInt(column))))
    }

    private func isNull(_ column: Int) -> Bool { PQgetisnull(result.pointer, index, CInt(column)) != 0 }
}
