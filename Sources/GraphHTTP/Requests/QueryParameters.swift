import GraphServices
import SocialGraph
import Text

/// The query of a request, read parameter by parameter and then closed: an unread parameter is refused by name.
///
///     var query = try QueryParameters(request.uri.query)
///     let limit = try query.limit()
///     try query.end()
package struct QueryParameters {
    private struct Parameter {
        let name: UTF8Key
        let value: String
        var isTaken = false
    }

    /// In the order given. There are few, so they are searched linearly.
    private var parameters: [Parameter] = []
    /// Names of the known parameters, for the message about an unknown one.
    private var known: [String] = []

    /// - Parameter query: the text after `?`, still percent-encoded.
    /// - Throws: `Problem` with `repeated_parameter` or `invalid_parameter`.
    package init(_ query: String?) throws {
        guard let query, !query.isEmpty else {
            return
        }
        guard query.utf8.count <= RequestLimits.queryBytes else {
            throw Problem(.invalidParameter, "The query may have at most \(RequestLimits.queryBytes) bytes.")
        }
        let pairs = query.utf8.split(separator: UInt8(ascii: "&"), maxSplits: RequestLimits.queryParameters)
        guard pairs.count <= RequestLimits.queryParameters else {
            throw Problem(
                .invalidParameter, "The query may have at most \(RequestLimits.queryParameters) parameters.")
        }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = UTF8Key(try Self.decode(parts[0]))
            let value = try parts.count > 1 ? Self.decode(parts[1]) : ""
            guard name.text.utf8.count <= RequestLimits.parameterNameBytes else {
                throw Problem(
                    .invalidParameter, "A parameter's name may have at most \(RequestLimits.parameterNameBytes) bytes.")
            }
            guard !parameters.contains(where: { $0.name == name }) else {
                let name = name.text.echoed
                throw Problem(.repeatedParameter, "The parameter \"\(name)\" must be given only once.", field: name)
            }
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// Reads `limit`, 1 to 100; 20 if it is not given.
    package mutating func limit() throws -> Int {
        guard let text = string("limit") else {
            return RequestLimits.defaultPageLimit
        }
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let limit = Int(text),
            RequestLimits.pageLimit.contains(limit)
        else {
            let range = RequestLimits.pageLimit
            throw Problem(
                .invalidLimit,
                "\"limit\" must be a whole number from \(range.lowerBound) to \(range.upperBound).",
                field: "limit")
        }
        return limit
    }

    /// Returns the decoded value of a parameter; nil if it is not given.
    package mutating func string(_ name: String) -> String? {
        known.append(name)
        let name = UTF8Key(name)
        guard let index = parameters.firstIndex(where: { $0.name == name }) else { return nil }
        parameters[index].isTaken = true
        return parameters[index].value
    }

    /// Returns the value of a parameter, of at most `maxLength` scalars; nil if it is not given.
    package mutating func optionalText(_ name: String, maxLength: Int) throws -> String? {
        guard let text = string(name) else { return nil }
        guard TextRules.isWithin(maxLength, text) else {
            throw Problem(.invalidParameter, "\"\(name)\" may have at most \(maxLength) characters.", field: name)
        }
        return text
    }

    /// Returns the parameters whose name begins with `prefix`, without it, in the order given.
    package mutating func strings(withPrefix prefix: String) -> [(name: String, value: String)] {
        parameters.map(\.name.text).filter { $0.utf8.starts(with: prefix.utf8) }.map { name in
            (String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), string(name) ?? "")
        }
    }

    /// Refuses unread parameters. Call it after the last parameter was read.
    ///
    /// - Throws: `Problem` with `unknown_parameter` for the first unread one.
    package func end() throws {
        guard let unknown = parameters.first(where: { !$0.isTaken })?.name.text else {
            return
        }
        let names = Set(known).sorted().joined(separator: ", ")
        let hint = names.isEmpty ? "No parameters are allowed." : "Allowed: \(names)."
        throw Problem(
            .unknownParameter, "Unknown parameter \"\(unknown.echoed)\". \(hint)",
            field: unknown.echoed)
    }

    private static func decode(_ text: Substring.UTF8View) throws -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = text[index...].prefix(2)
                guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                    digits.first != UInt8(ascii: "+"), value != 0
                else {
                    throw malformed
                }
                bytes.append(value)
                index = digits.endIndex
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw malformed
        }
        guard StreamSafeText.holds(bytes) else {
            throw Problem(.invalidParameter, "The query is not valid: \(StreamSafeText.rule).")
        }
        return decoded
    }

    private static let malformed = Problem(
        .invalidParameter, "The query must be percent-encoded UTF-8 without NUL characters.")
}
