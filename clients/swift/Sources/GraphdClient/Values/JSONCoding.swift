import Foundation

/// Reads and writes the JSON of the API.
enum JSONCoding {
    static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Timestamps.date(of: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not a time: \(text.prefix(40))")
            }
            return date
        }
        return decoder
    }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        // The same bytes in each attempt: a key of idempotency belongs to a body.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamps.text(of: date))
        }
        return encoder
    }
}

/// Times in RFC 3339, UTC, with milliseconds.
enum Timestamps {
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let whole = Date.ISO8601FormatStyle()

    static func date(of text: String) -> Date? {
        (try? fractional.parse(text)) ?? (try? whole.parse(text))
    }

    static func text(of date: Date) -> String { fractional.format(date) }
}
