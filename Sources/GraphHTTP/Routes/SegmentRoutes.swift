import Discovery
import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import SocialGraph

/// Segments of videos, and jumps to one of them.
struct SegmentRoutes: Sendable {
    let graph: GraphStore
    let segments: Segments
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/segments` [{label, startTime, endTime}], by an author → {segments}, which replace the
    /// earlier ones; an empty array removes them
    @Sendable func replace(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        let new = try StrictObject.array(
            await request.bodyBytes(), maxCount: DiscoveryLimits.segmentsPerPost, NewSegment.init(reading:))
        let stored = try await visibility.hidingUnseen(post, from: caller) {
            try await segments.replaceSegments(of: post, by: caller, with: new)
        }
        return .json { $0.segments(stored) }
    }

    /// `GET /v1/posts/{id}/segments` → {segments: [{segmentId, label, startTime, endTime}], derived}: the table of
    /// contents, by start; derived from the transcript if nobody has labelled the video
    @Sendable func contents(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let post = try context.postID()
        let caller = try context.requireCaller()
        try await visibility.require(post, for: caller)
        let contents = try await segments.contents(of: post, for: caller)
        return .json { $0.contents(contents) }
    }

    /// `PUT /v1/posts/{id}/transcript`, by an author, or by a program with the scope `transcripts:write` → 204: WebVTT
    /// (text/vtt), SubRip (application/x-subrip), or {format, text} with either
    @Sendable func replaceTranscript(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let post = try context.postID()
        let author = try await author(of: post, context)
        let transcript = try await self.read(request, for: author)
        try await visibility.hidingUnseen(post, from: author) {
            try await segments.replaceTranscript(of: post, by: author, with: transcript)
        }
        return .noContent
    }

    /// Returns the user who writes the transcript: the caller, or the author in whose place a program does.
    ///
    /// - Throws: ``GraphError/postNotFound`` for a program's post that nobody may see.
    private func author(of post: PostID, _ context: GraphRequestContext) async throws -> UserID {
        guard context.caller.service != nil else { return try context.requireCaller() }
        guard let post = try await graph.posts.posts([post]).first else { throw GraphError.postNotFound }
        return post.author
    }

    /// `GET /v1/posts/{id}/transcript` → {cues: [{startTime, endTime, text}]}, or a file in the given `format` (vtt,
    /// srt)
    @Sendable func transcript(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let format = try query.transcriptFormat()
        try query.end()
        let post = try context.postID()
        let caller = try context.requireCaller()
        try await visibility.require(post, for: caller)
        guard let format else {
            guard let transcript = try await segments.transcript(of: post, for: caller) else {
                throw Problem.noTranscript
            }
            return .json { $0.transcript(transcript) }
        }
        guard let text = try await segments.transcriptFile(of: post, as: format, for: caller) else {
            throw Problem.noTranscript
        }
        let body = ByteBuffer(string: text)
        return Response(
            status: .ok, headers: [.contentType: "\(format.mediaType); charset=utf-8"], body: .init(byteBuffer: body))
    }

    /// `DELETE /v1/posts/{id}/transcript`, by an author → 204, also if there is none
    @Sendable func deleteTranscript(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.hidingUnseen(post, from: caller) {
            try await segments.replaceTranscript(of: post, by: caller, with: nil)
        }
        return .noContent
    }

    /// `POST /v1/posts/{id}/jump` {command, at?} → {kind, segmentId, label, startTime, endTime, timestamp, confidence}:
    /// the part that the command means; `at`: the current playback position in seconds
    @Sendable func jump(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let command = try body.string("command", maxLength: DiscoveryLimits.commandLength)
        let position = try body.optionalVideoTime("at")
        try body.end()
        try await visibility.require(post, for: caller)
        guard let place = try await segments.find(command, in: post, at: position, for: caller) else {
            throw Problem.noSuchPart
        }
        return .json { $0.place(place) }
    }
}

extension NewSegment {
    /// Reads and checks one entry of an upload.
    fileprivate init(reading body: inout StrictObject) throws {
        let label = try body.string("label", maxLength: DiscoveryLimits.segmentLabelLength)
        let (start, end) = (try body.videoTime("startTime"), try body.videoTime("endTime"))
        guard start < end else {
            throw Problem(.invalidValue, "\"endTime\" must be later than \"startTime\".", field: "endTime")
        }
        self.init(label: label, start: start, end: end)
    }
}

extension SegmentRoutes {
    /// Reads a transcript from the body.
    ///
    /// - Throws: `Problem` 415 `unsupported_media_type`, 400 `invalid_transcript` with the line, 503 `busy`, and those
    ///   of a JSON body.
    private func read(_ request: Request, for caller: UserID) async throws -> Transcript {
        let type = request.headers[.contentType]?.split(separator: ";").first.map {
            $0.filter { !$0.isWhitespace }.lowercased()
        }
        let bytes = try await request.bodyBytes()
        do {
            switch type {
            case "text/vtt": return try await segments.read(bytes, as: .webVTT, for: caller)
            case "application/x-subrip", "application/srt", "text/srt":
                return try await segments.read(bytes, as: .subRip, for: caller)
            case "application/json":
                var body = try StrictObject(bytes)
                let format = try body.optionalChoice("format", of: TimedTextFormat.allCases)
                let text = try body.anyString("text", maxBytes: RequestLimits.bodyBytes)
                try body.end()
                return try await segments.read(
                    Array(text.utf8), as: body.required("format", format), for: caller)
            default:
                throw Problem(
                    .unsupportedMediaType,
                    "A transcript must be text/vtt, application/x-subrip, or application/json with {format, text}.",
                    field: "Content-Type")
            }
        } catch let error as TimedTextError {
            throw Problem(.invalidTranscript, error.detail)
        }
    }
}

extension QueryParameters {
    /// Reads the format; nil for JSON.
    fileprivate mutating func transcriptFormat() throws -> TimedTextFormat? {
        guard let text = string("format"), text != "json" else { return nil }
        guard let format = TimedTextFormat(rawValue: text) else {
            throw Problem(.invalidParameter, "\"format\" must be \"vtt\", \"srt\" or \"json\".", field: "format")
        }
        return format
    }
}

extension Problem {
    fileprivate static let noTranscript = Problem(.transcriptNotFound, "This video has no transcript.")
    package static let noSuchPart = Problem(.noSuchPart, "This video has no such part.")
}
