import Database
import GraphAPI
import StrictJSON

/// Another form of a stored file, such as its 720p or an HLS manifest, which a program of the operator's has made and
/// which is elsewhere.
package struct Rendition: Sendable, Equatable {
    /// Tells the renditions of a file apart.
    package let name: String
    package let url: String
    package let contentType: String
    /// Pixels; nil for a form with several sizes.
    package let width: Int64?
    package let height: Int64?
    /// Bits a second; nil if it is not told.
    package let bitrate: Int64?

    package init(name: String, url: String, contentType: String, width: Int64?, height: Int64?, bitrate: Int64?) {
        self.name = name
        self.url = url
        self.contentType = contentType
        self.width = width
        self.height = height
        self.bitrate = bitrate
    }

    /// Largest number of renditions of a file.
    package static let limit = 16
    /// Characters of a name.
    package static let nameLength = 1...64
}

extension [Rendition] {
    /// The list as it is stored, which is also its form in answers: a JSON array; nil for none.
    var stored: String? {
        guard !isEmpty else { return nil }
        var json = JSONWriter(reservingCapacity: 256 * count)
        json.renditions(self)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for any other text.
    init(stored text: String?) throws {
        guard let text else {
            self = []
            return
        }
        guard case .array(let values)? = try? JSONReader.read([UInt8](text.utf8)) else {
            throw DatabaseError.undecodable(Rendition.self, text)
        }
        self = try values.map { value in
            guard let rendition = Rendition(value) else { throw DatabaseError.undecodable(Rendition.self, text) }
            return rendition
        }
    }
}

extension Rendition {
    fileprivate init?(_ value: JSONValue) {
        guard case .object(let members) = value else { return nil }
        func text(_ name: String) -> String? {
            if case .string(let text)? = members.first(where: { $0.name == name })?.value { text } else { nil }
        }
        func number(_ name: String) -> Int64? {
            if case .integer(let number)? = members.first(where: { $0.name == name })?.value { number } else { nil }
        }
        guard let name = text("name"), let url = text("url"), let type = text("contentType") else { return nil }
        self.init(
            name: name, url: url, contentType: type, width: number("width"), height: number("height"),
            bitrate: number("bitrate"))
    }
}

extension JSONWriter {
    /// `[{name, url, contentType, width, height, bitrate}]`; numbers may be null.
    package mutating func renditions(_ renditions: [Rendition]) {
        array(renditions) { json, rendition in
            json.beginObject()
            json.member("name", rendition.name)
            json.member("url", rendition.url)
            json.member("contentType", rendition.contentType)
            json.optional("width", rendition.width)
            json.optional("height", rendition.height)
            json.optional("bitrate", rendition.bitrate)
            json.endObject()
        }
    }

    private mutating func optional(_ name: StaticString, _ number: Int64?) {
        key(name)
        if let number { integer(number) } else { null() }
    }
}
