import GraphAPI
import Logging

/// Renders one log event as the bytes of one line, its end included.
enum LogLine {
    private static let ownKeys: Set<String> = ["ts", "level", "label", "message"]

    static func json(
        _ label: String, _ event: LogEvent, _ metadata: Logger.Metadata, _ milliseconds: Int64
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 320)
        json.beginObject()
        json.member("ts", time: milliseconds)
        json.member("level", event.level.rawValue)
        json.member("label", label)
        json.member("message", event.message.description)
        for (key, value) in flattened(metadata) {
            json.key(escaping: ownKeys.contains(key) ? "metadata.\(key)" : key)
            write(value, to: &json)
        }
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    static func text(
        _ label: String, _ event: LogEvent, _ metadata: Logger.Metadata, _ milliseconds: Int64
    ) -> [UInt8] {
        var line: [UInt8] = []
        CivilTime(millisecondsSince1970: milliseconds).append(to: &line)
        line.append(contentsOf: " \(event.level.rawValue.uppercased()) \(label): ".utf8)
        line.append(contentsOf: printable(event.message.description).utf8)
        for (key, value) in flattened(metadata) {
            line.append(contentsOf: " \(printable(key))=\(quotedIfNeeded(value.description))".utf8)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Returns nested dictionaries as keys joined by dots; sorted, so that lines of one kind align.
    private static func flattened(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
        var flat: [(key: String, value: Logger.MetadataValue)] = []
        func add(_ metadata: Logger.Metadata, prefix: String) {
            for (key, value) in metadata {
                if case .dictionary(let inner) = value {
                    add(inner, prefix: "\(prefix)\(key).")
                } else {
                    flat.append((prefix + key, value))
                }
            }
        }
        add(metadata, prefix: "")
        return flat.sorted { $0.key < $1.key }
    }

    private static func write(_ value: Logger.MetadataValue, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.string(text)
        case .stringConvertible(let convertible): write(convertible, to: &json)
        case .array(let values):
            json.beginArray()
            for value in values {
                write(value, to: &json)
            }
            json.endArray()
        case .dictionary: json.string(value.description)
        }
    }

    /// Numbers stay numbers, so that a collector can add them up.
    private static func write(_ value: any CustomStringConvertible, to json: inout JSONWriter) {
        switch value {
        case let value as Int: json.integer(value)
        case let value as Bool: json.bool(value)
        case let value as Double where value.isFinite: json.raw(Array("\(value)".utf8))
        case let value as Int64: json.integer(value)
        case let value as UInt64: json.integer(value)
        default: json.string(value.description)
        }
    }

    /// Escapes control characters: a client's text must not move a terminal's cursor or forge a line.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return text
        }
        return text.unicodeScalars
            .map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let shown = printable(text)
        guard shown.isEmpty || shown.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) else {
            return shown
        }
        return "\"" + shown.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}
