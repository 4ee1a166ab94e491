/// A small model of Redis: the scripts of `WindowScripts`, each an atomic step.
struct ModelRedis {
    struct WindowKey: Hashable {
        let generation: Int
        let viewer: Int
        /// 0 for the ready window, else the number of a build.
        var build = 0
    }

    /// The sorted set of a window, newest first, with one entry a post.
    typealias SortedSet = [ModelEntry]

    /// The string beside it: what has arrived since the sorted set was written, in order of arrival.
    struct Tail: Equatable {
        /// Another number whenever something but an append changes the window.
        var stamp: Int
        var entries: [ModelEntry] = []
        /// The number of appends since the tail reached its bound.
        var appendsBeyondBound = 0
    }

    /// A window as a reader finds it.
    struct Glimpse: Equatable {
        var sorted: SortedSet?
        var tail: Tail?
    }

    struct State: Equatable {
        var fence: Int
        var stamp = 0
    }

    struct Command {
        enum Operation: Equatable {
            case push(ModelEntry)
            case remove(post: Int)
            case retract(ModelEntry)
            case evict
            /// Changes to the state of the generation.
            case end
            case begin(isReplacing: Bool)
            case flip(SortedSet, isComplete: Bool)
            /// Reads a window whose tail is full.
            case look
            /// Writes a sorted set that has the first `consumed` entries of the tail.
            case fold(SortedSet, stamp: Int, consumed: Int)
        }

        var operation: Operation
        var windows: [WindowKey]
        let generation: Int
        let fence: Int
    }

    enum Reply: Equatable {
        case fenced
        case count(Int)
        case viewers([Int])
        /// The viewers whose tails are full after a push, and those whose tails have reached their bound.
        case full([Int], overdue: [Int])
        case window(Glimpse)
    }

    let cap: Int
    /// The number of entries at which a tail is full, and the one that it exceeds only while it is being folded.
    let tailLimit: Int
    let tailBound: Int
    var run = 1
    var states: [Int: State] = [:]
    /// The sorted sets of ready windows.
    var sorted: [WindowKey: SortedSet] = [:]
    /// The tails of ready windows. A building window is a tail alone.
    var tails: [WindowKey: Tail] = [:]
    var folds = 0
    var refusedFolds = 0
    var refusals = 0

    init(cap: Int, tailLimit: Int, tailBound: Int) {
        self.cap = cap
        self.tailLimit = tailLimit
        self.tailBound = tailBound
    }

    func glimpse(_ key: WindowKey) -> Glimpse { Glimpse(sorted: sorted[key], tail: tails[key]) }

    mutating func execute(_ command: Command, _ mechanisms: Set<Mechanism>) -> Reply {
        guard let state = states[command.generation] else { return .fenced }
        if mechanisms.contains(.fence), state.fence != command.fence {
            refusals += 1
            return .fenced
        }
        switch command.operation {
        case .push(let entry): return push(entry, command, mechanisms)
        case .remove(let post): remove(post, command, mechanisms)
        case .retract(let entry): return .viewers(retract(entry, command, mechanisms))
        case .evict: for key in command.windows { (sorted[key], tails[key]) = (nil, nil) }
        case .end: states[command.generation] = nil
        case .begin(let isReplacing):
            if isReplacing, sorted[command.windows[1]] == nil || tails[command.windows[1]] == nil { return .count(0) }
            tails[command.windows[0]] = Tail(stamp: nextStamp(command))
        case .flip(let entries, let isComplete): return .count(flip(entries, isComplete, command))
        case .look: return .window(glimpse(command.windows[0]))
        case .fold(let entries, let stamp, let consumed):
            return .count(fold(entries, stamp, consumed, command, mechanisms))
        }
        return .count(1)
    }

    private mutating func nextStamp(_ command: Command) -> Int {
        states[command.generation]?.stamp += 1
        return states[command.generation]?.stamp ?? 0
    }

    /// Returns the viewers whose tails are full. Those of building windows are not folded.
    private mutating func push(_ entry: ModelEntry, _ command: Command, _ mechanisms: Set<Mechanism>) -> Reply {
        var (full, overdue): ([Int], [Int]) = ([], [])
        for key in command.windows {
            if tails[key] == nil {
                guard !mechanisms.contains(.appendsToWindowsOnly) else { continue }
                tails[key] = Tail(stamp: 0)
            }
            tails[key]?.entries.append(entry)
            guard key.build == 0, let count = tails[key]?.entries.count, count >= tailLimit else { continue }
            full.append(key.viewer)
            if count >= tailBound {
                overdue.append(key.viewer)
                tails[key]?.appendsBeyondBound += 1
            }
        }
        return .full(full, overdue: overdue)
    }

    private mutating func remove(_ post: Int, _ command: Command, _ mechanisms: Set<Mechanism>) {
        for key in command.windows {
            change(key, command, mechanisms) { sorted, tail in
                sorted.removeAll { $0.post == post }
                if mechanisms.contains(.removalFromTail) { tail.removeAll { $0.post == post } }
            }
        }
    }

    /// Returns the viewers in whose windows the post is not before the undone place.
    private mutating func retract(
        _ entry: ModelEntry, _ command: Command, _ mechanisms: Set<Mechanism>
    ) -> [Int] {
        var found: [Int] = []
        for key in command.windows {
            guard let tail = tails[key] else { continue }
            let held = (sorted[key] ?? []) + tail.entries
            let stands = held.contains(entry)
            let isBefore = held.contains { $0.post == entry.post && $0.place < entry.place }
            change(key, command, mechanisms) { sorted, tail in
                sorted.removeAll { $0 == entry }
                if mechanisms.contains(.retractionFromTail) { tail.removeAll { $0 == entry } }
            }
            if !isBefore, stands || mechanisms.contains(.nextPlaceAboveFloor) { found.append(key.viewer) }
        }
        return Set(found).sorted()
    }

    private mutating func flip(_ entries: SortedSet, _ isComplete: Bool, _ command: Command) -> Int {
        let (build, ready) = (command.windows[0], command.windows[1])
        guard let tail = tails.removeValue(forKey: build) else { return 0 }
        sorted[ready] = entries + (isComplete ? [.sentinel] : [])
        tails[ready] = Tail(stamp: nextStamp(command), entries: tail.entries)
        return 1
    }

    private mutating func fold(
        _ entries: SortedSet, _ stamp: Int, _ consumed: Int, _ command: Command, _ mechanisms: Set<Mechanism>
    ) -> Int {
        let key = command.windows[0]
        guard sorted[key] != nil, let tail = tails[key] else { return 0 }
        if mechanisms.contains(.foldStamp), tail.stamp != stamp {
            refusedFolds += 1
            return 0
        }
        folds += 1
        let rest = mechanisms.contains(.foldKeepsNewer) ? Array(tail.entries.dropFirst(consumed)) : []
        sorted[key] = entries.isEmpty ? nil : entries
        tails[key] = Tail(stamp: nextStamp(command), entries: rest)
        return 1
    }

    /// Changes a window otherwise than by an append. An empty sorted set does not exist.
    private mutating func change(
        _ key: WindowKey, _ command: Command, _ mechanisms: Set<Mechanism>,
        _ body: (inout SortedSet, inout [ModelEntry]) -> Void
    ) {
        guard let tail = tails[key] else { return }
        var (set, entries) = (sorted[key] ?? [], tail.entries)
        body(&set, &entries)
        guard set != sorted[key] ?? [] || entries != tail.entries else { return }
        if sorted[key] != nil { sorted[key] = set.isEmpty ? nil : set }
        let stamp = mechanisms.contains(.stampAtChange) ? nextStamp(command) : tail.stamp
        tails[key] = Tail(stamp: stamp, entries: entries)
    }
}

extension ModelRedis.Glimpse {
    /// The sorted set with the first entries of the tail merged into it, at most `cap` entries with the sentinel.
    func folded(cap: Int, _ mechanisms: Set<Mechanism>) -> ModelRedis.SortedSet {
        var merged = sorted ?? []
        let floor = merged.last?.place ?? 0
        for entry in tail?.entries ?? [] { merged.add(entry, mechanisms) }
        if mechanisms.contains(.tailEndsAtFloor) { merged.removeAll { $0.place < floor } }
        return Array(merged.prefix(cap))
    }

    /// Everything that a reader finds in the window, and its floor; nil if there is no window.
    func contents(_ mechanisms: Set<Mechanism>) -> (entries: [ModelEntry], floor: Int)? {
        guard let sorted, let floor = sorted.last?.place else { return nil }
        guard let tail else { return mechanisms.contains(.bothKeys) ? nil : (sorted, floor) }
        let above = tail.entries.filter { $0.place >= floor || !mechanisms.contains(.tailEndsAtFloor) }
        let lowest = mechanisms.contains(.tailEndsAtFloor) ? floor : min(floor, above.map(\.place).min() ?? floor)
        return (sorted + above, lowest)
    }
}

extension ModelRedis.SortedSet {
    /// ZADD with GT.
    fileprivate mutating func add(_ entry: ModelEntry, _ mechanisms: Set<Mechanism>) {
        if let standing = first(where: { $0.post == entry.post }) {
            if standing.place <= entry.place, mechanisms.contains(.smallerPlaceStays) { return }
            removeAll { $0.post == entry.post }
        }
        insert(entry, at: firstIndex { $0.place < entry.place } ?? count)
    }
}
