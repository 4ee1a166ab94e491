import SocialGraph
import Synchronization

/// A cache of indices of recently used videos, in two generations. An entry moves to the young generation on use. When
/// the young generation is full, it becomes the old one and the former old one is evicted. An entry is valid for one
/// version of a segmentation, so it needs no invalidation.
final class SegmentIndexCache: Sendable {
    typealias Entry = (version: Int64, index: SegmentIndex)

    private struct State {
        var young: [PostID: Entry] = [:]
        var old: [PostID: Entry] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// `capacity`: cues and segments of all entries together.
    init(capacity: Int) { self.capacity = capacity }

    func entry(of post: PostID) -> Entry? {
        state.withLock { state in
            if let entry = state.young[post] { return entry }
            guard let entry = state.old.removeValue(forKey: post) else { return nil }
            Self.keep(entry, of: post, in: &state, capacity)
            return entry
        }
    }

    func keep(_ index: SegmentIndex, of post: PostID, version: Int64) {
        state.withLock { Self.keep((version, index), of: post, in: &$0, capacity) }
    }

    private static func keep(_ entry: Entry, of post: PostID, in state: inout State, _ capacity: Int) {
        let size = size(of: entry)
        if state.size + size > capacity / 2 {
            (state.old, state.young, state.size) = (state.young, [:], 0)
        }
        let former = state.young.updateValue(entry, forKey: post)
        state.size += size - (former.map(Self.size) ?? 0)
    }

    private static func size(of entry: Entry) -> Int { entry.index.cues.count + entry.index.units.count + 1 }
}
