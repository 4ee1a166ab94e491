import Database
import SocialGraph

/// A batch of pushes: groups of entries with their recipients. Sorted by viewer, so that all entries for one viewer are
/// added to that viewer's window together. For Redis, accessing a window costs about as much as adding an entry.
struct PushBatch: Sendable {
    /// Maximum number of posts that one push or merge call adds to a window.
    static let postsPerCall = 32
    /// Entries at which a script call takes no further window. Redis answers no other client while it executes a
    /// script.
    static let entriesPerCall = 2_000

    /// A group of entries that goes to one viewer.
    struct Target: Sendable {
        let viewer: UserID
        let group: Int
    }

    /// All entries for a window in one step of a script, from adjacent targets.
    struct Portion {
        let viewer: UserID
        let targets: Range<Int>
        let entries: Int
    }

    /// Groups of entries, oldest first, so that each entry finds its position at the head of a window.
    private(set) var groups: [[FeedEntry]] = []
    /// A number for each group, by which batches that are sent together share its entries.
    private(set) var numbers: [Int] = []
    private(set) var targets: [Target] = []
    /// The recipients of each group, in order of addition.
    private(set) var viewers: [[UserID]] = []
    private(set) var deliveries = 0
    /// True if few windows receive entries of more than one group, and groups are large. They are then pushed one by
    /// one, since a call with the same entries for all windows costs Redis a tenth less.
    private(set) var isScattered = true

    /// - Parameters:
    ///   - entries: At most ``postsPerCall``, unless the batch has no other group.
    ///   - number: The same for the same entries in batches for other viewers.
    mutating func add(_ entries: [FeedEntry], to viewers: [UserID], number: Int? = nil) {
        guard !entries.isEmpty, !viewers.isEmpty else { return }
        let group = groups.count
        groups.append(Self.inOrder(entries))
        numbers.append(number ?? group)
        self.viewers.append(viewers)
        targets.reserveCapacity(targets.count + viewers.count)
        for viewer in viewers { targets.append(Target(viewer: viewer, group: group)) }
        deliveries += entries.count * viewers.count
    }

    /// The entries, oldest first. Those of several batches share their storage if they are in order already.
    static func inOrder(_ entries: [FeedEntry]) -> [FeedEntry] {
        let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.position <= $1.position }
        return isInOrder ? entries : entries.sorted { $0.position < $1.position }
    }

    /// Sorts the batch. Called once, after the last group.
    mutating func arrange() {
        guard groups.count > 1 else { return }
        targets.sort { ($0.viewer.rawValue, $0.group) < ($1.viewer.rawValue, $1.group) }
        let repeated = zip(targets, targets.dropFirst()).count { $0.viewer == $1.viewer }
        isScattered = repeated * 6 < targets.count && targets.count >= groups.count * 100
    }

    /// Returns the portions from the target `start` on, for one script call with at most `windows` windows, and the
    /// start of the next call.
    func portions(from start: Int, windows: Int) -> (portions: [Portion], next: Int) {
        var portions: [Portion] = []
        var (begin, index, entries, sum) = (start, start, 0, 0)
        func close() {
            guard begin < index else { return }
            portions.append(Portion(viewer: targets[begin].viewer, targets: begin..<index, entries: entries))
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
