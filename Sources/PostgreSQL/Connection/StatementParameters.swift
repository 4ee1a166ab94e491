import CPQ
import Database

/// The type that a parameter is declared with.
enum ParameterType: UInt8, Sendable {
    /// NULL, whose type the server infers.
    case inferred, integer, real, text, blob

    /// The server's number of the type.
    var identifier: Oid {
        switch self {
        case .inferred: 0
        case .integer: ServerType.int8
        case .real: ServerType.float8
        case .text: ServerType.text
        case .blob: ServerType.bytea
        }
    }
}

extension SQLValue {
    var parameterType: ParameterType {
        switch self {
        case .null: .inferred
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

/// The arguments of one statement in the binary format, one after the other.
struct StatementParameters {
    private var bytes: [UInt8] = []
    /// The start of each argument in ``bytes``; nil: it is NULL.
    private var starts: [Int?] = []
    private var lengths: [CInt] = []

    init(_ arguments: [SQLValue]) {
        starts.reserveCapacity(arguments.count)
        lengths.reserveCapacity(arguments.count)
        for argument in arguments {
            let start = bytes.count
            append(argument)
            starts.append(argument == .null ? nil : start)
            lengths.append(CInt(bytes.count - start))
        }
        // An empty last argument needs an address, too.
        bytes.append(0)
    }

    private mutating func append(_ argument: SQLValue) {
        switch argument {
        case .null: break
        case .integer(let value): append(UInt64(bitPattern: value))
        case .real(let value): append(value.bitPattern)
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .blob(let value): bytes.append(contentsOf: value)
        }
    }

    private mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Passes `body` the number of arguments, their addresses, lengths and formats, as libpq expects them.
    func withPointers<T>(
        _ body: (CInt, [UnsafePointer<CChar>?], [CInt], [CInt]) -> T
    ) -> T {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                let values = starts.map { start in start.flatMap { characters.baseAddress?.advanced(by: $0) } }
                let binary = [CInt](repeating: 1, count: values.count)
                return body(CInt(values.count), values, lengths, binary)
            }
        }
    }
}

extension PreparedStatements.Key {
    /// The numbers of the parameters' types. The server cannot infer the type of a NULL that is compared with NULL
    /// before anything else; only optional ids are.
    var declaredTypes: [Oid] {
        types.enumerated().map { index, type in
            type == .inferred && sql.contains("?\(index + 1) IS NULL") ? ServerType.int8 : type.identifier
        }
    }
}
