/// A new value for a member, or its removal. A member that is nil stays as it is.
public enum Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    case set(Value)
    case remove

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .remove : .set(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .set(let value): try container.encode(value)
        case .remove: try container.encodeNil()
        }
    }
}
