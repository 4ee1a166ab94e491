import Database
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph
import StrictJSON

/// Rules common to the product APIs: unknown fields and parameters are ignored, and a user id in a request must be the
/// caller's own.
extension Request {
    /// Reads the body as an object whose unknown fields are ignored; an empty object if there is no body.
    func lenientObject(upTo limit: Int = RequestLimits.bodyBytes) async throws -> StrictObject {
        try StrictObject(lenient: ByteBuffer(bytes: await bodyBytes(upTo: limit)))
    }
}

extension StrictObject {
    /// Parses the object of a body; an empty object if the body has no bytes.
    package init(lenient buffer: ByteBuffer) throws {
        try self.init(buffer.readableBytes == 0 ? ByteBuffer(string: "{}") : buffer)
    }

    /// Refuses a user id that is not the caller's. Without one, or with an empty text, the caller is meant.
    package mutating func requireOwn(_ name: String, _ caller: UserID) throws {
        switch take(name) {
        case nil, .string("")?: return
        case .string(let text)? where TextRules.parseID(text) == caller.rawValue: return
        default: throw Problem(.forbidden, "\"\(name)\" must be your own user id.", field: name)
        }
    }

    /// Reads an id that may be absent; an empty text means none.
    package mutating func filledID(_ name: String) throws -> Int64? {
        isEmptyText(name) ? nil : try optionalID(name)
    }

    /// Reads a URL that may be absent; an empty text means none.
    package mutating func filledURL(_ name: String) throws -> String? {
        isEmptyText(name) ? nil : try optionalURL(name)
    }

    /// Reads a username that may be absent; an empty text means none.
    package mutating func filledUsername(_ name: String) throws -> String? {
        isEmptyText(name) ? nil : try optionalUsername(name)
    }

    /// Same as ``ids(_:maxCount:)``, without the empty texts among the entries.
    package mutating func filledIDs(_ name: String, maxCount: Int) throws -> [Int64] {
        guard case .array(let values)? = value(of: name) else { return try ids(name, maxCount: maxCount) }
        _ = take(name)
        let filled = JSONMember(name: name, value: .array(values.filter { $0 != .string("") }))
        var object = StrictObject(members: [filled])
        return try object.ids(name, maxCount: maxCount)
    }

    /// Reads a picture in Base64 that may be absent, by the rules of ``Base64Picture``; an empty text means none.
    package mutating func filledPicture(_ name: String) throws -> [UInt8]? {
        switch take(name) {
        case nil, .string("")?: return nil
        case .string(let text)?: return try Base64Picture.bytes(text, field: name)
        case let other?: throw Self.wrongType(name, other, expected: "a string")
        }
    }

    /// Reads a required text of at most `maxLength` scalars; blanks alone count as an empty one.
    package mutating func description(_ name: String, maxLength: Int) throws -> String {
        let text = try optionalWording(name, maxLength: maxLength)
        return try required(name, text).unlessBlank
    }

    /// Reads the text of a comment, which is more than blanks.
    package mutating func comment(_ name: String) throws -> String {
        let text = try string(name, maxLength: SocialGraphLimits.commentLength)
        guard !text.unlessBlank.isEmpty else {
            throw Problem(.invalidValue, "\"\(name)\" must have more than blanks.", field: name)
        }
        return text
    }

    /// True if the field is null or an empty text.
    package func isBlank(_ name: String) -> Bool { isNull(name) || isEmptyText(name) }

    private func isEmptyText(_ name: String) -> Bool { value(of: name) == .string("") }
}

extension String {
    /// The text; empty if it has nothing but white space.
    var unlessBlank: String { unicodeScalars.allSatisfy(\.properties.isWhitespace) ? "" : self }
}

extension GraphRequestContext {
    /// Returns the caller, who must be the user that the path names.
    package func requireOwn(_ name: String = "id") throws -> UserID {
        let caller = try requireCaller()
        guard try userID(name) == caller else {
            throw Problem(.forbidden, "This is possible only for your own user id.", field: name)
        }
        return caller
    }
}

/// The start and length of a page of a product's list.
struct ProductPage {
    static let defaultLimit = 10
    /// Items of a list that the contract does not divide into pages.
    static let undividedLimit = RequestLimits.pageLimit.upperBound

    let limit: Int
    let cursor: Int64?

    /// Reads the parameters `limit` and one named `cursor`.
    init(_ query: inout QueryParameters, cursor name: String, defaultLimit: Int = Self.defaultLimit) throws {
        limit = try Self.limit(&query, default: defaultLimit)
        guard let place = query.string(name), !place.isEmpty else {
            cursor = nil
            return
        }
        guard let id = TextRules.parseID(place) else { throw Self.invalidCursor(name) }
        cursor = id
    }

    static func limit(_ query: inout QueryParameters, default fallback: Int = Self.defaultLimit) throws -> Int {
        guard let text = query.string("limit"), !text.isEmpty else { return fallback }
        guard let limit = Int(text), RequestLimits.pageLimit.contains(limit) else {
            let range = RequestLimits.pageLimit
            throw Problem(
                .invalidLimit, "\"limit\" must be a whole number from \(range.lowerBound) to \(range.upperBound).",
                field: "limit")
        }
        return limit
    }

    static func invalidCursor(_ name: String) -> Problem {
        Problem(.invalidCursor, "\"\(name)\" must be the value from an earlier page.", field: name)
    }
}

extension QueryParameters {
    /// Reads comma-separated names; nil if there are none.
    package mutating func names(_ name: String) throws -> [String]? {
        let names = (string(name) ?? "").commaSeparated
        guard !names.isEmpty else { return nil }
        guard names.count <= SocialGraphLimits.filterTags,
            names.allSatisfy({ TextRules.isWithin(SocialGraphLimits.tagLength, $0) })
        else {
            throw Problem(
                .invalidParameter,
                """
                "\(name)" may have at most \(SocialGraphLimits.filterTags) names of at most \
                \(SocialGraphLimits.tagLength) characters, separated by commas.
                """, field: name)
        }
        return names
    }
}

extension String {
    /// The parts between commas that are not blank, without surrounding white space.
    var commaSeparated: [String] { split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }
}

extension Substring {
    /// The text without surrounding white space.
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
