import Foundation

/// An event of the caller's home stream.
public enum HomeEvent: Sendable {
    /// A new item of the home timeline.
    case item(FeedItem, id: String?)
    case notification(NotificationEvent, id: String?)
    /// Events were missed: read the timeline again. The stream continues with new ones.
    case reset
    /// An event of a later version.
    case other(ServerEvent)

    init(_ event: ServerEvent) throws {
        switch event.name {
        case "home": self = .item(try event.decoded(), id: event.id)
        case "notification": self = .notification(try event.decoded(), id: event.id)
        case "reset": self = .reset
        default: self = .other(event)
        }
    }
}

/// One act of which the caller is notified.
public struct NotificationEvent: Codable, Hashable, Sendable {
    public let notificationId: String
    public let type: NotificationItemType
    /// The user who acted; nil for a decision of moderators.
    public let actor: Author?
    public let postId: String?
    public let commentId: String?
    public let message: String
    public let createdAt: Date
}

/// An event of the stream of one post.
public enum PostEvent: Sendable {
    /// The counts as they are now.
    case counts(Counts)
    /// A new or an edited comment.
    case comment(Comment)
    case commentGone(commentId: String)
    /// The connection was lost, and comments may have been missed: read them again.
    case interrupted
    /// An event of a later version.
    case other(ServerEvent)

    init(_ event: ServerEvent) throws {
        struct Gone: Decodable { let commentId: String }
        switch event.name {
        case "counts": self = .counts(try event.decoded())
        case "comment": self = .comment(try event.decoded())
        case "comment_gone": self = .commentGone(commentId: try event.decoded(Gone.self).commentId)
        default: self = .other(event)
        }
    }
}

extension TimelinesAPI {
    /// New items of the caller's home timeline, and notifications, as they arrive.
    ///
    /// - Parameter id: The id of the last event that the app has seen, to get those since then first.
    public func homeEvents(after id: String? = nil) -> AsyncThrowingMapSequence<EventStream, HomeEvent> {
        homeStream(lastEventID: id).map { try HomeEvent($0) }
    }
}

extension PostsAPI {
    /// New comments and changed counts of a post, as they arrive. Ends when the post is gone.
    public func events(postId: String) -> AsyncThrowingFlatMapSequence<EventStream, PostEvents> {
        stream(postId: postId).flatMap { event in
            PostEvents(
                events: event.followsInterruption ? [.interrupted, try PostEvent(event)] : [try PostEvent(event)])
        }
    }
}

/// The events that one event of the server stands for.
public struct PostEvents: AsyncSequence, Sendable {
    let events: [PostEvent]

    public struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<PostEvent>

        public mutating func next() async throws -> PostEvent? { rest.popFirst() }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(rest: events[...]) }
}
