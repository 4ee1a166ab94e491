/// The largest `capacity` distinct ids of all that were offered: a min-heap, as the k-way merge of the author feeds
/// needs it.
struct NewestPosts {
    private var heap: [Int64] = []
    private var members: Set<Int64> = []
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        heap.reserveCapacity(capacity)
    }

    /// Offers `id`. False if it came too late: then all smaller ids would as well.
    mutating func offer(_ id: Int64) -> Bool {
        if heap.count == capacity, id <= heap[0] { return id == heap[0] }
        guard members.insert(id).inserted else { return true }
        if heap.count == capacity {
            members.remove(heap[0])
            heap[0] = id
            siftDown()
        } else {
            heap.append(id)
            siftUp()
        }
        return true
    }

    /// Newest first.
    func sorted() -> [PostID] { heap.sorted(by: >).map(PostID.init(rawValue:)) }

    private mutating func siftUp() {
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
