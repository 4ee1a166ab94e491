import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct RequestQueueTests {
    @Test
    func `a queue keeps each request once, and says which have no room`() {
        let queue = RequestQueue<Int>(capacity: 2)
        #expect(queue.request(contentsOf: [1, 1, 2, 3, 2, 4]) == [3, 4])
        #expect(queue.pending == 2)
        #expect(queue.take(5, isLost: true) == [1, 2])
        #expect(queue.request(contentsOf: [3]) == [] && queue.pending == 1)
    }
}
