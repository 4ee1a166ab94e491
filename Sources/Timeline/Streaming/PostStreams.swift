import Coordination
import Database
import DequeModule
import SocialGraph
import Synchronization

/// Sends new comments and changed counts to the readers who are viewing a post. Nothing is replayed: a client that
/// reconnects reads the post and its comments again.
package final class PostStreams: Sendable {
    private struct State {
        var subscriptions: [PostID: [Int: PostSubscription]] = [:]
        var opened = 0
        var open = 0
    }

    private let state = Mutex(State())
    private let feeds: FeedStore
    private let posts: PostReader
    private let conversations: ConversationReader

    init(feeds: FeedStore, posts: PostReader, conversations: ConversationReader) {
        self.feeds = feeds
        self.posts = posts
        self.conversations = conversations
    }

    /// Applies the changes of a commit of this or another process. Never blocks.
    func observe(_ changes: [GraphChange]) {
        for change in changes {
            if Self.mayConcernAnyPost(change) {
                let all = state.withLock { $0.subscriptions.values.flatMap(\.values) }
                for subscription in all { subscription.offer(.counts) }
            }
            guard let (post, event) = Self.event(of: change) else { continue }
            let subscriptions = state.withLock { $0.subscriptions[post].map { Array($0.values) } }
            for subscription in subscriptions ?? [] { subscription.offer(event) }
        }
    }

    /// Returns whether a change may concern any post: an account change may hide posts of its user.
    private static func mayConcernAnyPost(_ change: GraphChange) -> Bool {
        switch change {
        case .accountModerated, .accountDeleted, .accountPrivacyChanged, .unknown: true
        default: false
        }
    }

    private static func event(of change: GraphChange) -> (PostID, PostSubscription.Event)? {
        switch change {
        case .commented(let comment, let post): (post, .comment(comment))
        case .commentChanged(let comment, let post), .commentModerated(let comment, let post):
            post.map { ($0, .comment(comment)) }
        case .likesChanged(let post, _), .sharedExternally(let post, _), .unreshared(let post, _),
            .postDeleted(let post, _), .postModerated(let post), .reshared(_, let post):
            (post, .counts)
        default: nil
        }
    }

    /// Returns the latest comment position. Read before a stream is opened.
    package func latestPlace() async throws -> Int64 { try await feeds.latestPosition().rawValue }

    /// Opens a stream of the events on `post`, for `viewer`. Comments up to `since` were made before, so the viewer may
    /// have them from a list. Returns nil if too many streams are open.
    package func open(_ post: PostID, for viewer: UserID, since: Int64) -> PostStream? {
        state.withLock { state in
            guard state.open < TimelineLimits.postStreams else { return nil }
            state.opened += 1
            state.open += 1
            let subscription = PostSubscription()
            state.subscriptions[post, default: [:]][state.opened] = subscription
            return PostStream(
                streams: self, subscription: subscription, number: state.opened, post: post, viewer: viewer,
                since: since)
        }
    }

    fileprivate func close(_ stream: PostStream) {
        state.withLock { state in
            guard state.subscriptions[stream.post]?.removeValue(forKey: stream.number) != nil else { return }
            state.open -= 1
            if state.subscriptions[stream.post]?.isEmpty == true { state.subscriptions[stream.post] = nil }
        }
    }

    fileprivate func counts(of post: PostID, for viewer: UserID) async throws -> EngagementCounts? {
        try await posts.post(post, for: viewer)?.counts
    }

    /// The message to `viewer` about a changed comment; nil if the viewer has never been shown it. `wasTold` is true if
    /// the stream has reported it before, `isOlder` if it was made before the stream was opened.
    fileprivate func message(
        about id: CommentID, for viewer: UserID, wasTold: Bool, isOlder: Bool
    ) async throws -> PostStream.Message? {
        let rule = try await posts.caches.rule(for: viewer)
        guard let comment = try await conversations.comments.comment(id) else {
            // Its author is no longer known, and may have been hidden from the viewer.
            return wasTold || isOlder && !rule.concealsSomeComments ? .commentGone(id) : nil
        }
        let isShown = try await conversations.isShown(comment, to: viewer)
        if isShown, !rule.concealsAnyway(comment) { return .comment(comment) }
        // A change is only reported for a comment that was visible to others before. It was therefore visible to this
        // viewer, unless its author is hidden.
        return wasTold || isOlder && !rule.concealsAnyway(comment) ? .commentGone(id) : nil
    }
}

/// The stream of one connection that views a post.
package struct PostStream: Sendable {
    package enum Message: Sendable {
        /// New, or edited.
        case comment(PostComment)
        /// Deleted, or hidden from the reader.
        case commentGone(CommentID)
        case counts(EngagementCounts)
        case quiet
        /// The end of the stream, because the reader may no longer see the post.
        case postGone
        case tooSlow
        case ended
    }

    let streams: PostStreams
    let subscription: PostSubscription
    let number: Int
    let post: PostID
    let viewer: UserID
    let since: Int64

    /// Passes every message to `send`, first the current counts, then changes, until the task is cancelled, the post is
    /// gone, the reader is too slow, or `send` throws.
    package func run(heartbeat: Duration, send: (Message) async throws -> Void) async throws {
        defer { streams.close(self) }
        var told = Told()
        guard try await tellCounts(&told, send) else { return }
        while !Task.isCancelled {
            switch await subscription.next(patience: heartbeat) {
            case .changed(let comments):
                for id in comments { try await tell(id, &told, send) }
                guard try await tellCounts(&told, send) else { return }
            case .quiet: if !Task.isCancelled { try await send(.quiet) }
            case .overflowed: return try await send(.tooSlow)
            case .ended: return try await send(.ended)
            }
        }
    }

    /// The comments that the stream has reported.
    private struct Told {
        var counts: EngagementCounts?
        /// The latest comments.
        var comments: Set<CommentID> = []

        mutating func add(_ comment: CommentID) {
            comments.insert(comment)
            if comments.count > PostSubscription.queueLength * 2, let oldest = comments.min() {
                comments.remove(oldest)
            }
        }
    }

    private func tell(
        _ id: CommentID, _ told: inout Told, _ send: (Message) async throws -> Void
    ) async throws {
        let message = try await streams.message(
            about: id, for: viewer, wasTold: told.comments.contains(id), isOlder: id.rawValue <= since)
        guard let message else { return }
        if case .comment = message { told.add(id) } else { told.comments.remove(id) }
        try await send(message)
    }

    /// Sends the counts. Returns false if the post is gone; the reader has then been informed.
    private func tellCounts(
        _ told: inout Told, _ send: (Message) async throws -> Void
    ) async throws -> Bool {
        guard let counts = try await streams.counts(of: post, for: viewer) else {
            try await send(.postGone)
            return false
        }
        if counts != told.counts { try await send(.counts(counts)) }
        told.counts = counts
        return true
    }

    /// Ends the stream from outside.
    package func end() {
        // Frees the place at once: the client may reconnect before the connection is seen to be over.
        streams.close(self)
        subscription.end()
    }
}

/// The pending messages for one reader of a post: comments by id, each once, and a flag for changed counts. Any number
/// of likes between two writes results in one message with the counts.
final class PostSubscription: Sendable {
    /// Maximum number of pending comments. One more ends the stream.
    static let queueLength = 256

    enum Event { case counts, comment(CommentID) }

    enum Next {
        case changed(comments: [CommentID])
        case quiet, overflowed, ended
    }

    private struct State {
        var comments: Deque<CommentID> = []
        var hasChanged = false
        var hasOverflowed = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wakeup = Wakeup()

    func offer(_ event: Event) {
        state.withLock { state in
            guard !state.hasOverflowed else { return }
            state.hasChanged = true
            guard case .comment(let id) = event, !state.comments.contains(id) else { return }
            if state.comments.count == Self.queueLength {
                state.hasOverflowed = true
                state.comments = []
            } else {
                state.comments.append(id)
            }
        }
        wakeup.signal()
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wakeup.signal()
    }

    func next(patience: Duration) async -> Next {
        if let next = take() { return next }
        await wakeup.wait(atMost: patience)
        return take() ?? .quiet
    }

    private func take() -> Next? {
        state.withLock { state in
            if state.hasEnded { return .ended }
            if state.hasOverflowed { return .overflowed }
            guard state.hasChanged else { return nil }
            defer { (state.hasChanged, state.comments) = (false, []) }
            return .changed(comments: Array(state.comments))
        }
    }
}
