import GraphServices

/// The boundary between the parts of a multipart body (RFC 2046 §5.1.1): 1 to 70 of the allowed characters.
package struct MultipartBoundary: Sendable, Equatable {
    /// CRLF, two hyphens, the boundary: precedes every part, except perhaps the first, and the end.
    let delimiter: [UInt8]

    /// Parses a boundary; nil for an invalid one.
    package init?(_ text: String) {
        guard RequestLimits.multipartBoundary.contains(text.utf8.count), text.utf8.last != UInt8(ascii: " "),
            text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        delimiter = Array("\r\n--\(text)".utf8)
    }

    /// Returns the boundary that the values of a `Content-Type` name.
    ///
    /// - Throws: `Problem`: `unsupported_media_type` if the body is not multipart/form-data, `malformed_multipart`
    ///   if it has no usable boundary.
    package static func require(in values: [String]) throws -> MultipartBoundary {
        // The parameters may be unusable; the kind of body must still be determined.
        let kind = values.first.map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
        guard values.count == 1, kind == "multipart/form-data" else {
            throw Problem(
                .unsupportedMediaType, "The body must be multipart/form-data.", field: "Content-Type",
                advice: [.mediaType("multipart/form-data")])
        }
        guard let text = values.first.flatMap({ HeaderParameters($0) })?.parameters["boundary"],
            let boundary = MultipartBoundary(text)
        else {
            let length = RequestLimits.multipartBoundary
            throw Problem(
                .malformedMultipart,
                "Content-Type must name one boundary of \(length.lowerBound) to \(length.upperBound) characters.",
                field: "Content-Type")
        }
        return boundary
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }
}
