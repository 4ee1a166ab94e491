import SocialGraph

/// What is pushed in one go: groups of entries, and whom each goes to. Sorted by viewer, so that all that one viewer
/// gets goes into that viewer's window together: a window costs Redis about as much as an entry.
struct PushBatch: Sendable {
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
    private(set) var deliveries = 0

    /// - Parameter entries: at most ``TimelineLimits/postsPerCall``.
    mutating func add(_ entries: [FeedEntry], to viewers: [UserID]) {
        guard !entries.isEmpty, !viewers.isEmpty else { return }
        let group = groups.count
        groups.append(entries.sorted { $0.position < $1.position })
        targets.reserveCapacity(targets.count + viewers.count)
        for viewer in viewers { targets.append(Target(viewer: viewer, group: group)) }
        deliveries += entries.count * viewers.count
    }

    /// To be called once, after the last group.
    mutating func arrange() {
        guard groups.count > 1 else { return }
        targets.sort { ($0.viewer.rawValue, $0.group) < ($1.viewer.rawValue, $1.group) }
    }

    /// The portions from the target `start` on, for one call of a script, and where the next call starts.
    func portions(from start: Int) -> (portions: [Portion], next: Int) {
        var portions: [Portion] = []
        var (begin, index, entries, sum) = (start, start, 0, 0)
        func close() {
            if begin < index { portions.append(Portion(viewer: targets[begin].viewer, targets: begin..<index)) }
        }
        while index < targets.count {
            let count = groups[targets[index].group].count
            let isOther = begin < index && targets[index].viewer != targets[begin].viewer
            if isOther || entries + count > TimelineLimits.postsPerCall {
                close()
                (begin, entries) = (index, 0)
                if portions.count == TimelineLimits.windowsPerCall || sum >= TimelineLimits.entriesPerCall { break }
            }
            entries += count
            sum += count
            index += 1
        }
        if index == targets.count { close() }
        return (portions, index)
    }
}
