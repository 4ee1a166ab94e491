import Database
import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import Moderation
import NIOCore
import SocialGraph
import Timeline

/// Live streams of new items.
struct StreamRoutes: Sendable {
    let graph: GraphStore
    let streams: StreamBroker
    let postStreams: PostStreams
    let timelines: Timelines
    let callers: CallerVerifier
    let budgets: Budgets

    /// `GET /v1/stream` → `text/event-stream`: new home items and notifications. With `Last-Event-ID`, it begins with
    /// the events missed since.
    ///
    /// Events: `home` (data is the post) and `notification` (data is the notification), both with an `id:` line, the
    /// position in the change log; `reset` (the missed events are no longer kept: read the timeline again), `end`
    /// (data: {reason}; the server closes the stream, also when the token has expired or was revoked). A comment every
    /// ``RequestLimits/streamHeartbeat`` shows that the stream is alive.
    @Sendable func home(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let lastEvent = try Self.lastEvent(in: request.headers)
        let slot = try budgets.slot(.homeStreams, for: .user(caller.rawValue))
        // Read before the answer starts: any change after the client has seen the answer is news.
        let opened = try await streams.latestChange()
        return EventStream(
            open: { streams.open(for: caller, lastEvent: lastEvent, opened: opened) }, slot: slot, callers: callers,
            text: { [details = timelines.details, notices = graph.notices] in
                try await EventText.text(of: $0, details, notices, for: caller)
            }
        ).response(to: request, context)
    }

    /// `GET /v1/posts/{id}/stream` → `text/event-stream`: new comments and changed counts of one post.
    ///
    /// Events: `counts` (the present ones first, then each change: {likesCount, commentsCount, sharesCount}), `comment`
    /// (new or edited; data is the comment), `comment_gone` ({commentId}, of a comment that the caller could see),
    /// `end` ({reason}). Nothing is replayed, so no event has an id.
    @Sendable func post(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        guard try await timelines.posts.post(post, for: caller) != nil else { throw GraphError.postNotFound }
        let slot = try budgets.slot(.postStreams, for: .user(caller.rawValue))
        let since = try await postStreams.latestPlace()
        return EventStream(
            open: { postStreams.open(post, for: caller, since: since) }, slot: slot, callers: callers,
            text: { [details = timelines.details] in try await EventText.text(of: $0, details, for: caller) }
        ).response(to: request, context)
    }

    private static func lastEvent(in headers: HTTPFields) throws -> Int64? {
        guard let text = headers[.lastEventID], !text.isEmpty else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(
                .invalidHeader, "Last-Event-ID must be the id of an event from this stream.", field: "Last-Event-ID")
        }
        return id
    }
}

extension EventText {
    fileprivate static func text(
        of message: HomeStream.Message, _ details: DetailReader, _ notices: NoticeStore, for viewer: UserID
    ) async throws -> ByteBuffer {
        switch message {
        case .event(let event):
            var json = JSONWriter(reservingCapacity: 1_024)
            switch event.news {
            case .item(let item):
                json.post(item.post, try await details.details(of: item.post, for: viewer))
                return self.event("home", id: event.sequence, data: json.bytes)
            case .notification(let notification):
                json.notification(
                    notification, try await details.details(of: notification, for: viewer),
                    try await notices.notice(of: notification))
                return self.event("notification", id: event.sequence, data: json.bytes)
            }
        case .quiet: return alive
        case .reset: return reasoned("reset", "too_old")
        case .tooSlow: return end("too_slow")
        case .ended: return end("server_stopping")
        }
    }

    fileprivate static func text(
        of message: PostStream.Message, _ details: DetailReader, for viewer: UserID
    ) async throws -> ByteBuffer {
        var json = JSONWriter(reservingCapacity: 512)
        switch message {
        case .comment(let comment):
            json.comment(comment, try await details.details(of: comment, for: viewer))
            return event("comment", data: json.bytes)
        case .commentGone(let id):
            json.beginObject()
            json.member("commentId", id: id.rawValue)
            json.endObject()
            return event("comment_gone", data: json.bytes)
        case .counts(let counts):
            json.counts(counts)
            return event("counts", data: json.bytes)
        case .quiet: return alive
        case .postGone: return end("post_gone")
        case .tooSlow: return end("too_slow")
        case .ended: return end("server_stopping")
        }
    }
}
