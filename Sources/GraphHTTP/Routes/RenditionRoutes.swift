import GraphAPI
import GraphServices
import Hummingbird
import MediaJobs
import SocialGraph

/// Renditions of files, which programs with the scope `media:renditions` keep.
struct RenditionRoutes: Sendable {
    let graph: GraphStore
    let references: MediaReferences

    private static let pixels: ClosedRange<Int64> = 1...65_536
    private static let bitrates: ClosedRange<Int64> = 1...10_000_000_000
    private static let contentTypeLength = 100

    /// `PUT /v1/media/{id}/renditions/{name}` {url, contentType, width?, height?, bitrate?} → {renditions}: adds a
    /// rendition, or replaces the one of the name
    @Sendable func put(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (media, name) = try Self.place(context)
        var body = try StrictObject(await request.bodyBytes())
        let url = try body.url("url")
        let type = try Self.contentType(in: &body)
        let rendition = Rendition(
            name: name, url: url, contentType: type, width: try body.optionalInteger("width", in: Self.pixels),
            height: try body.optionalInteger("height", in: Self.pixels),
            bitrate: try body.optionalInteger("bitrate", in: Self.bitrates))
        try body.end()
        try references.requireForeign(url, field: "url")
        let renditions = try await graph.renditions.put(rendition, of: media)
        return .json { json in
            json.beginObject()
            json.key("renditions")
            json.renditions(renditions)
            json.endObject()
        }
    }

    /// `DELETE /v1/media/{id}/renditions/{name}` → 204, also if there is none
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (media, name) = try Self.place(context)
        try await graph.renditions.remove(name, of: media)
        return .noContent
    }

    /// Reads the path of a request by a program.
    private static func place(_ context: GraphRequestContext) throws -> (MediaID, name: String) {
        guard context.caller.service != nil else {
            throw Problem(.forbidden, "Only a service token with the scope media:renditions may change renditions.")
        }
        let name = context.parameters.get("name") ?? ""
        guard Rendition.nameLength.contains(name.utf8.count), name.utf8.allSatisfy(isPlain),
            name.utf8.first.map(isLetterOrDigit) == true
        else {
            let most = Rendition.nameLength.upperBound
            throw Problem(
                .invalidValue,
                "The name must be 1 to \(most) small letters, digits, hyphens, underscores and dots, a letter or digit "
                    + "first.", field: "name")
        }
        return (try context.mediaID(), name)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-_.".utf8.contains(byte) }

    /// Reads a media type without parameters, such as `video/mp4`.
    private static func contentType(in body: inout StrictObject) throws -> String {
        let text = try body.string("contentType", maxLength: contentTypeLength)
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "+") } })
        else {
            throw Problem(
                .invalidValue, "\"contentType\" must be a media type in small letters, such as video/mp4.",
                field: "contentType")
        }
        return text
    }
}
