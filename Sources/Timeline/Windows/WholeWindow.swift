import Database
import RedisClient
import SocialGraph

/// A tail as read for a fold, and the position of the newest entry of the sorted set beside it, if there is one.
struct TailBesideSet: Sendable {
    let top: FeedPosition?
    let tail: [UInt8]?

    init(_ score: RedisReplyView, _ tail: RedisReplyView) throws {
        top = score.isNull ? nil : FeedPosition(rawValue: -(try score.int64))
        self.tail = tail.isNull ? nil : try tail.withBytes { [UInt8]($0) }
    }
}

/// Both parts of a window as Redis has sent them, to be decoded on another thread than the connection's.
struct StoredParts: Sendable {
    enum SortedSet: Sendable {
        case absent
        case dump([UInt8])
        case entries(FeedSlice)
    }

    let sorted: SortedSet
    let tail: [UInt8]?

    init(_ set: RedisReplyView, _ tail: RedisReplyView) throws {
        if set.kind == .bulk {
            sorted = .dump(try set.withBytes { [UInt8]($0) })
        } else {
            sorted = try FeedSlice(window: set).map(SortedSet.entries) ?? .absent
        }
        self.tail = tail.isNull ? nil : try tail.withBytes { [UInt8]($0) }
    }
}

/// A window as read for a fold.
struct WholeWindow: Sendable {
    private enum SortedSet: Sendable {
        case absent, unreadable
        case entries([FeedEntry], isComplete: Bool)
    }

    private let sorted: SortedSet
    private let tail: WindowTail?

    init(_ parts: StoredParts) throws {
        tail = parts.tail?.withUnsafeBytes(WindowTail.init)
        sorted =
            switch parts.sorted {
            case .absent: .absent
            case .dump(let dump):
                dump.withUnsafeBytes(WindowDump.entries(of:)).map { .entries($0, isComplete: $1) } ?? .unreadable
            case .entries(let slice): .entries(slice.entries, isComplete: slice.end == .beginning)
            }
    }

    /// True if the form of the dump is unknown.
    var isUnreadable: Bool { if case .unreadable = sorted { true } else { false } }

    /// True if there is a tail without a sorted set.
    var isHalf: Bool { if case .absent = sorted { tail != nil } else { false } }

    /// The sorted set with the tail merged into it, at most `cap` entries; nil if there is no whole window.
    func folded(cap: Int) -> FoldedWindow? {
        guard let tail, case .entries(let entries, let isComplete) = sorted else { return nil }
        let merged = entries.merging(
            tail.entries, downTo: isComplete ? .beginning : entries.last?.position ?? .beginning)
        // The sentinel counts as an entry.
        return FoldedWindow(
            entries: Array(merged.prefix(cap)), isComplete: isComplete && merged.count < cap, stamp: tail.stamp,
            consumedBytes: tail.bytes)
    }
}

/// The sorted set that a fold writes, and the tail that it replaces.
struct FoldedWindow: Sendable {
    let entries: [FeedEntry]
    let isComplete: Bool
    let stamp: [UInt8]
    let consumedBytes: Int
}

extension [FeedEntry] {
    /// These entries, newest first, and those of a tail in order of arrival: newest first, each post at its smallest
    /// position, without those below `floor`.
    ///
    /// Compares raw values, because the operators of ids of another module are not inlined.
    fileprivate func merging(_ waiting: [FeedEntry], downTo floor: FeedPosition) -> [FeedEntry] {
        // Usually posts arrive in order.
        let isInOrder = zip(waiting, waiting.dropFirst()).allSatisfy { $0.position.rawValue < $1.position.rawValue }
        let oldestFirst = isInOrder ? waiting : waiting.sorted { $0.position.rawValue < $1.position.rawValue }
        var merged: [FeedEntry] = []
        merged.reserveCapacity(count + waiting.count)
        var (left, right, reshares) = (oldestFirst.count - 1, 0, 0)
        var last: (position: Int64, post: Int64) = (-1, -1)
        while left >= 0 || right < count {
            let isWaiting =
                right == count
                || left >= 0 && oldestFirst[left].position.rawValue >= self[right].position.rawValue
            let next = isWaiting ? oldestFirst[left] : self[right]
            if isWaiting { left -= 1 } else { right += 1 }
            let (position, post) = (next.position.rawValue, next.post.rawValue)
            if position == last.position, post == last.post { continue }
            last = (position, post)
            if position != post { reshares += 1 }
            merged.append(next)
        }
        if reshares > 0 { return merged.withoutLaterPositions(reshares: reshares, downTo: floor.rawValue) }
        while let oldest = merged.last, oldest.position.rawValue < floor.rawValue { merged.removeLast() }
        return merged
    }

    /// These entries, newest first, without later positions of posts that have an earlier one. A post whose smallest
    /// position is below `floor` is left out.
    private func withoutLaterPositions(reshares: Int, downTo floor: Int64) -> [FeedEntry] {
        var seen = Set<Int64>(minimumCapacity: reshares)
        var kept: [FeedEntry] = []
        kept.reserveCapacity(count)
        for index in indices.reversed() {
            let (position, post) = (self[index].position.rawValue, self[index].post.rawValue)
            // No position of a post is smaller than its own.
            if position != post, holdsAtItsPost(post) || !seen.insert(post).inserted { continue }
            if position >= floor { kept.append(self[index]) }
        }
        kept.reverse()
        return kept
    }

    /// Returns true if the entries, newest first, have `post` at its own position.
    private func holdsAtItsPost(_ post: Int64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].position.rawValue > post { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].position.rawValue == post && self[low].post.rawValue == post
    }
}
