import Coordination
import DequeModule
import SocialGraph
import Synchronization

/// An event sent to a stream's reader.
package struct StreamEvent: Sendable {
    /// The position of the change in the commit-ordered log.
    package let sequence: Int64
    package let news: News

    package enum News: Sendable {
        /// A new item in the home timeline.
        case item(TimelineItem)
        case notification(Notification)
    }
}

/// One open stream: a bounded queue that the broker fills and the connection empties.
package final class StreamSubscription: Sendable {
    /// Maximum number of pending events. One more ends the stream.
    static let queueLength = 256

    package enum Next: Sendable {
        case event(StreamEvent)
        /// A period without events.
        case quiet
        /// The queue is full because the reader was too slow. Later events are only in the log.
        case overflowed
        case ended
    }

    private struct State {
        var events: Deque<StreamEvent> = []
        /// The latest change offered. A change is offered again if the lookup for other streams has failed.
        var latest: Int64 = 0
        var hasOverflowed = false
        var hasEnded = false
    }

    package let viewer: UserID
    /// A number that increases from one subscription to the next.
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

    /// Returns the next event, after at most `patience`.
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
