import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct StreamSubscriptionTests {
    private func event(_ sequence: Int64) -> StreamEvent {
        StreamEvent(
            sequence: sequence,
            news: .item(TimelineItem(post: .sample(sequence), position: FeedPosition(rawValue: sequence))))
    }

    @Test
    func `events come in their order, each once, then there is quiet`() async {
        let subscription = StreamSubscription(viewer: UserID(rawValue: 1))
        for sequence: Int64 in [1, 2, 2, 1, 3] { subscription.offer(event(sequence)) }
        for sequence: Int64 in 1...3 {
            guard case .event(let event) = await subscription.next(patience: .zero) else { return #expect(Bool(false)) }
            #expect(event.sequence == sequence)
        }
        guard case .quiet = await subscription.next(patience: .zero) else { return #expect(Bool(false)) }
    }

    @Test
    func `a full queue is given up as a whole`() async {
        let subscription = StreamSubscription(viewer: UserID(rawValue: 1))
        for sequence in 1...Int64(StreamSubscription.queueLength) { subscription.offer(event(sequence)) }
        guard case .event(let first) = await subscription.next(patience: .zero), first.sequence == 1 else {
            return #expect(Bool(false), "a full queue is none that has overflowed")
        }
        for sequence: Int64 in [10_001, 10_002] { subscription.offer(event(sequence)) }
        for _ in 0..<2 {
            guard case .overflowed = await subscription.next(patience: .zero) else { return #expect(Bool(false)) }
        }
        subscription.end()
        guard case .ended = await subscription.next(patience: .zero) else { return #expect(Bool(false)) }
    }
}
