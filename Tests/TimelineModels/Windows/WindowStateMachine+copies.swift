import TestSupport

/// Copies of windows in the serving process, as in `RecentWindows`. They change nothing else, and have random numbers
/// of their own, so that a schedule is the same with and without them.
struct ModelCopies {
    /// The number of entries kept of a window that is read, and to which a copy of twice as many is cut.
    static let size = 2

    struct Copy {
        /// Newest first, or what is pushed while the window is read.
        var entries: [ModelEntry] = []
        /// The place down to which the entries are complete.
        var end = 0
        /// The number of the load under way.
        var load: Int?
    }

    /// A first page that reads a window and keeps it.
    struct Load {
        let number: Int
        let viewer: Int
        let generation: Int
        var found: Copy?
    }

    var copies: [Int: Copy] = [:]
    var loads: [Load] = []
    var random: SplitMix64
    var next = 1
    /// Pages from copies that pushes have changed.
    var pushed = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

    mutating func push(_ entry: ModelEntry, to viewers: [Int], _ mechanisms: Set<Mechanism>) {
        for viewer in viewers { copies[viewer]?.push(entry, mechanisms) }
    }

    mutating func forget(_ viewers: [Int], _ mechanisms: Set<Mechanism>) {
        for viewer in viewers {
            if copies[viewer]?.load == nil ? mechanisms.contains(.changeEndsCopy) : mechanisms.contains(.changeEndsLoad)
            {
                copies[viewer] = nil
            }
        }
    }
}

extension ModelCopies.Copy {
    mutating func push(_ entry: ModelEntry, _ mechanisms: Set<Mechanism>) {
        if load != nil {
            if mechanisms.contains(.loadTakesPushes) { entries.append(entry) }
            return
        }
        guard mechanisms.contains(.copyTakesPushes), entry.place > end, !entries.contains(entry) else { return }
        entries.append(entry)
        entries.sort { $0.place > $1.place }
        guard entries.count >= ModelCopies.size * 2 else { return }
        entries.removeLast(entries.count - ModelCopies.size)
        if mechanisms.contains(.cutRaisesEnd) { end = entries.last?.place ?? end }
    }

    /// The first entries of a window.
    fileprivate init(_ entries: [ModelEntry], floor: Int) {
        var newest = entries.filter { $0 != .sentinel }.sorted { $0.place > $1.place }
        newest = newest.enumerated().filter { $0 == 0 || newest[$0 - 1] != $1 }.map(\.element)
        self.entries = Array(newest.prefix(ModelCopies.size))
        end = newest.count > ModelCopies.size ? self.entries[ModelCopies.size - 1].place : floor
    }

    fileprivate func with(_ pushed: [ModelEntry], _ mechanisms: Set<Mechanism>) -> Self {
        var copy = self
        for entry in pushed { copy.push(entry, mechanisms) }
        return copy
    }
}

extension WindowStateMachine {
    /// Begins a load, lets Redis answer one, or ends one.
    mutating func stepCopies() {
        if copies.loads.count < 3, copies.roll(3) == 0 { return beginLoad(copies.roll(Self.users)) }
        guard !copies.loads.isEmpty else { return }
        let index = copies.roll(copies.loads.count)
        let load = copies.loads[index]
        if load.found == nil, epoch?.generation == load.generation,
            let (entries, floor) = redis.glimpse(
                ModelRedis.WindowKey(generation: load.generation, viewer: load.viewer)
            ).contents(mechanisms)
        {
            copies.loads[index].found = ModelCopies.Copy(entries, floor: floor)
        } else {
            copies.loads.remove(at: index)
            finish(load)
        }
    }

    private mutating func beginLoad(_ viewer: Int) {
        guard let epoch, !pendingWrites.values.contains(viewer), copies.copies[viewer]?.load == nil else { return }
        copies.copies[viewer] = ModelCopies.Copy(load: copies.next)
        copies.loads.append(ModelCopies.Load(number: copies.next, viewer: viewer, generation: epoch.generation))
        copies.next += 1
    }

    private mutating func finish(_ load: ModelCopies.Load) {
        let copy = copies.copies[load.viewer]
        guard has(.changeEndsLoad) ? copy?.load == load.number : true else { return }
        copies.copies[load.viewer] = load.found?.with(copy?.entries ?? [], mechanisms)
    }

    /// Returns the first promise broken by a page from a copy. It asked in the state `before` who is pulled.
    mutating func violationOfCopies(since before: WindowStateMachine) -> String? {
        guard epoch != nil else { return nil }
        for (viewer, copy) in copies.copies where copy.load == nil && !pendingWrites.values.contains(viewer) {
            let proposals = before.graph.proposals(of: viewer, whileReturning: has(.pullingWhileReturning))
            let shown = shown(copy.entries, downTo: copy.end, to: viewer, beside: proposals)
            copies.pushed += copy.entries.count > ModelCopies.size ? 1 : 0
            guard let excused = excused(viewer), let excusedBefore = before.excused(viewer) else { continue }
            let missing = before.graph.home(of: viewer).intersection(graph.home(of: viewer)).subtracting(shown)
                .newestFirst.map(graph.entry)
                .filter { !excused.contains($0.post) && !excusedBefore.contains($0.post) }
            if !missing.isEmpty { return "reader \(viewer) misses \(missing) in a copy down to \(copy.end)" }
        }
        return nil
    }
}
