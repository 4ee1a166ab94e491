import TestSupport
import Testing

@testable import Database

@Suite(.timeLimit(.unit))
struct GroupCommitQueueTests {
    @Test
    func `the first request starts a drain, later ones queue, one too many is refused`() {
        let queue = GroupCommitQueue<Int>(capacity: 3)
        #expect([1, 2, 3, 4].map(queue.submit) == [.startDrain, .queued, .queued, .full])
        #expect(queue.nextGroup(limit: 2) == [1, 2])
        #expect(queue.submit(5) == .queued)
        #expect(queue.nextGroup(limit: 9) == [3, 5])
        #expect(queue.submit(6) == .queued)
        #expect(queue.nextGroup(limit: 9) == [6])
        #expect(queue.nextGroup(limit: 9) == [])
        #expect(queue.submit(7) == .startDrain)
    }
}
