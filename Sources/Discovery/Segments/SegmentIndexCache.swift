import SocialGraph
import Synchronization

/// A cache of indices of recently used videos, in two generations. An entry moves to the young generation on use. When
/// the young generation is full, it becomes the old one and the former old one is evicted. An entry is valid for one
/// version of a segmentation, so it needs no invalidation. Entries are weighed by their bytes; one that would take more
/// than half a generation is not kept, since it would evict many others.
final class SegmentIndexCache: Sendable {
    typealias Entry = (version: Int64, index: SegmentIndex)

    private struct State {
        var young: [PostID: Entry] = [:]
        var old: [PostID: Entry] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// `capacity`: bytes of all entries together.
    init(capacity: Int) { self.capacity = capacity }

    /// Returns the bytes of the largest entry that a cache of `capacity` keeps: half a generation.
    static func largestEntry(of capacity: Int) -> Int { capacity / 4 }

    func entry(of post: PostID) -> Entry? {
        state.withLock { state in
            if let entry = state.young[post] { return entry }
            guard let entry = state.old.removeValue(forKey: post) else { return nil }
            Self.keep(entry, of: post, in: &state, capacity)
            return entry
        }
    }

    func keep(_ index: SegmentIndex, of post: PostID, version: Int64) {
        guard index.bytes <= Self.largestEntry(of: capacity) else { return }
        state.withLock { Self.keep((version, index), of: post, in: &$0, capacity) }
    }

    private static func keep(_ entry: Entry, of post: PostID, in state: inout State, _ capacity: Int) {
        let size = entry.index.bytes
        if state.size + size > capacity / 2 {
            (state.old, state.young, state.size) = (state.young, [:], 0)
        }
        let former = state.young.updateValue(entry, forKey: post)
        state.size += size - (former?.index.bytes ?? 0)
    }
}
