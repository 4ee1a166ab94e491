import Discovery
import GraphServices
import SocialGraph
import StrictJSON

extension StrictObject {
    /// Reads an embedding as an array of numbers, of any length but 0.
    ///
    /// - Throws: `Problem` 400 `missing_field` and `invalid_type`; 422 `too_many` and `invalid_value`.
    package mutating func embedding(_ name: String) throws -> Embedding {
        let value = try optionalEmbedding(name)
        return try required(name, value)
    }

    package mutating func optionalEmbedding(_ name: String) throws -> Embedding? {
        switch take(name) {
        case nil: return nil
        case .array(let values)?:
            let limit = DiscoveryLimits.embeddingDimensions.upperBound
            guard values.count <= limit else {
                throw Problem(
                    .tooMany, "\"\(name)\" may have at most \(limit) numbers; got \(values.count).", field: name)
            }
            guard let embedding = Embedding(directionOf: try values.map { try Self.component($0, of: name) }) else {
                throw Problem(
                    .invalidValue, "\"\(name)\" must have at least one number other than 0.",
                    field: name)
            }
            return embedding
        case let other?: throw Self.wrongType(name, other, expected: "an array of numbers")
        }
    }

    private static func component(_ value: JSONValue, of name: String) throws -> Double {
        let number: Double
        switch value {
        case .integer(let whole): number = Double(whole)
        case .double(let real): number = real
        default:
            throw Problem(
                .invalidType, "\"\(name)\" must be an array of numbers; one entry is \(value.kind).", field: name)
        }
        let limit = DiscoveryLimits.embeddingComponent
        guard number.magnitude <= limit else {
            throw Problem(
                .invalidValue, "The numbers of \"\(name)\" must be from -\(Int(limit)) to \(Int(limit)).",
                field: name)
        }
        return number
    }
}
