import DequeModule
import Synchronization

/// Finished spans on their way to the exporter. Adding never waits: a span that finds the buffer full is dropped and
/// counted.
package final class SpanBuffer: Sendable {
    private struct State {
        var spans: Deque<FinishedSpan> = []
        var dropped: UInt64 = 0
    }

    /// Spans in the buffer at which the exporter is woken.
    package static let batch = 512

    private let capacity: Int
    private let state = Mutex(State())
    private let wakeups = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    package init(capacity: Int = 4_096) { self.capacity = capacity }

    func add(_ span: FinishedSpan) {
        let isBatch = state.withLock { state in
            guard state.spans.count < capacity else {
                state.dropped += 1
                return false
            }
            state.spans.append(span)
            return state.spans.count == Self.batch
        }
        if isBatch { ring() }
    }

    /// Takes the oldest spans, at most a batch of them.
    package func take() -> [FinishedSpan] {
        state.withLock { state in
            let taken = Array(state.spans.prefix(Self.batch))
            state.spans.removeFirst(taken.count)
            return taken
        }
    }

    /// Returns how many spans were dropped since the last call.
    package func takeDropped() -> UInt64 {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }

    /// Asks the exporter to send what there is.
    package func ring() { wakeups.continuation.yield() }

    /// A value for each ring; several may share one. For one exporter.
    package var rings: AsyncStream<Void> { wakeups.stream }
}
