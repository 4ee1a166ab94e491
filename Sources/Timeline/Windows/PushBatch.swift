import Database
import SocialGraph

/// What is pushed in one go: groups of entries, and whom each goes to. Sorted by viewer, so that all that one viewer
/// gets goes into that viewer's window together: a window costs Redis about as much as an entry.
struct PushBatch: Sendable {
    /// Posts that one push or merge call adds to a window, at most.
    static let postsPerCall = 32
    /// Entries at which a script call takes no further window: Redis answers nobody else while it executes one.
    static let entriesPerCall = 2_000

    /// A group of entries that goes to one viewer.
    struct Target: Sendable {
        let viewer: UserID
        let group: Int
    }

    /// All that a window gets in one step of a script; of targets next to each other.
    struct Portion {
        let viewer: UserID
        let targets: Range<Int>
    }

    /// Oldest first: each finds its place at the head of a window.
    private(set) var groups: [[FeedEntry]] = []
    private(set) var targets: [Target] = []
    /// Of each group, in the order in which they came.
    private(set) var viewers: [[UserID]] = []
    private(set) var deliveries = 0
    /// Few windows get something of more than one group, and groups are large: they are pushed one by one, as a call
    /// whose windows all get the same costs Redis a tenth less.
    private(set) var isScattered = true

    /// - Parameter entries: at most ``postsPerCall``.
    mutating func add(_ entries: [FeedEntry], to viewers: [UserID]) {
        guard !entries.isEmpty, !viewers.isEmpty else { return }
        let group = groups.count
        groups.append(entries.sorted { $0.position < $1.position })
        self.viewers.append(viewers)
        targets.reserveCapacity(targets.count + viewers.count)
        for viewer in viewers { targets.append(Target(viewer: viewer, group: group)) }
        deliveries += entries.count * viewers.count
    }

    /// To be called once, after the last group.
    mutating func arrange() {
        guard groups.count > 1 else { return }
        targets.sort { ($0.viewer.rawValue, $0.group) < ($1.viewer.rawValue, $1.group) }
        let repeated = zip(targets, targets.dropFirst()).count { $0.viewer == $1.viewer }
        isScattered = repeated * 6 < targets.count && targets.count >= groups.count * 100
    }

    /// The portions from the target `start` on, for one call of a script with at most so many `windows`, and where the
    /// next call starts.
    func portions(from start: Int, windows: Int) -> (portions: [Portion], next: Int) {
        var portions: [Portion] = []
        var (begin, index, entries, sum) = (start, start, 0, 0)
        func close() {
            if begin < index { portions.append(Portion(viewer: targets[begin].viewer, targets: begin..<index)) }
        }
        while index < targets.count {
            let count = groups[targets[index].group].count
            let isOther = begin < index && targets[index].viewer != targets[begin].viewer
            if isOther || entries + count > Self.postsPerCall {
                close()
                (begin, entries) = (index, 0)
                if portions.count == windows || sum >= Self.entriesPerCall { break }
            }
            entries += count
            sum += count
            index += 1
        }
        if index == targets.count { close() }
        return (portions, index)
    }
}
