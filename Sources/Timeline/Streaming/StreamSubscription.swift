import DequeModule
import SocialGraph
import Synchronization

/// What a stream tells its reader.
package struct StreamEvent: Sendable {
    /// The place of the change in the commit-ordered log.
    package let sequence: Int64
    package let news: News

    package enum News: Sendable {
        /// New in the home timeline.
        case item(TimelineItem)
        case notification(Notification)
    }
}

/// One open stream: a bounded queue that the broker fills and the connection empties.
package final class StreamSubscription: Sendable {
    /// Events that may wait for the reader; one more ends the stream.
    static let queueLength = 256

    package enum Next: Sendable {
        case event(StreamEvent)
        /// Nothing has come for a while.
        case quiet
        /// The reader was too slow: what came since is in no queue, only in the log.
        case overflowed
        case ended
    }

    private struct State {
        var events: Deque<StreamEvent> = []
        /// The latest that was offered: a change is offered again where asking for others has failed.
        var latest: Int64 = 0
        var hasOverflowed = false
        var hasEnded = false
    }

    package let viewer: UserID
    /// Grows from one subscription to the next.
    let number: Int
    private let state = Mutex(State())
    private let wakeup = Wakeup()

    init(viewer: UserID, number: Int = 0) {
        self.viewer = viewer
        self.number = number
    }

    func offer(_ event: StreamEvent) {
        state.withLock { state in
            guard !state.hasOverflowed, event.sequence > state.latest else { return }
            state.latest = event.sequence
            if state.events.count == Self.queueLength {
                state.hasOverflowed = true
                state.events = []
            } else {
                state.events.append(event)
            }
        }
        wakeup.signal()
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wakeup.signal()
    }

    /// Waits for the next event, but no longer than `patience`.
    func next(patience: Duration) async -> Next {
        if let next = take() { return next }
        await wakeup.wait(atMost: patience)
        return take() ?? .quiet
    }

    private func take() -> Next? {
        state.withLock { state in
            if state.hasEnded { return .ended }
            if state.hasOverflowed { return .overflowed }
            return state.events.popFirst().map(Next.event)
        }
    }
}
