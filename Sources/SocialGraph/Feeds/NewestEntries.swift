/// The `capacity` newest distinct entries of all that were offered: a min-heap, as the k-way merge of feeds needs it.
package struct NewestEntries {
    private var heap: [FeedEntry] = []
    private var members: Set<FeedPosition> = []
    private let capacity: Int

    package init(capacity: Int) {
        self.capacity = capacity
        heap.reserveCapacity(capacity)
    }

    /// Offers an entry. False if it came too late: then all older ones would as well.
    package mutating func offer(_ entry: FeedEntry) -> Bool {
        if heap.count == capacity, entry.position <= heap[0].position { return entry.position == heap[0].position }
        guard members.insert(entry.position).inserted else { return true }
        if heap.count == capacity {
            members.remove(heap[0].position)
            heap[0] = entry
            siftDown()
        } else {
            heap.append(entry)
            siftUp()
        }
        return true
    }

    /// Newest first.
    package func sorted() -> [FeedEntry] { heap.sorted { $0.position > $1.position } }

    private mutating func siftUp() {
        var child = heap.count - 1
        while child > 0, heap[child].position < heap[(child - 1) / 2].position {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].position < heap[least].position { least = child }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
