import Foundation

/// One event of a stream of server-sent events.
public struct ServerEvent: Sendable, Hashable {
    /// The position to continue from, if the event has one.
    public let id: String?
    public let name: String
    public let data: String
    /// Whether the stream was interrupted before this event, and continues on another connection.
    public internal(set) var followsInterruption = false

    /// Reads the data as JSON.
    ///
    /// - Throws: `ClientError.invalidAnswer` if it is not of the type.
    public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONCoding.decoder().decode(type, from: Data(data.utf8))
        } catch {
            throw ClientError.invalidAnswer(error)
        }
    }
}

/// Reads server-sent events (HTML standard, section 9.2) from pieces that may end anywhere.
struct ServerEventParser {
    /// The largest event, in bytes.
    let limit: Int
    /// The time to wait before a new connection, if the server gave one.
    private(set) var retry: Duration?

    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var (id, name, data): (String?, String, [String]) = (nil, "", [])
    private var size = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the events that a piece completes.
    ///
    /// - Throws: `ClientError.answerTooLarge` if one is larger than the limit.
    mutating func events(in piece: Data) throws -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in piece {
            let followsReturn = endedWithReturn
            endedWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                size += 1
                guard size <= limit else { throw ClientError.answerTooLarge(limit: limit) }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var bytes = line[colon...].dropFirst()
        if bytes.first == UInt8(ascii: " ") { bytes = bytes.dropFirst() }
        let value = String(decoding: bytes, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = value
        case "data": data.append(value)
        case "id": if !value.contains("\0") { id = value }
        case "retry": if let milliseconds = Int(value), milliseconds >= 0 { retry = .milliseconds(milliseconds) }
        // A comment, which keeps the connection alive, or a field of a later version.
        default: size -= line.count
        }
        return nil
    }

    private mutating func dispatch() -> ServerEvent? {
        defer { (id, name, data, size) = (nil, "", [], 0) }
        guard !data.isEmpty else { return nil }
        return ServerEvent(id: id, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
