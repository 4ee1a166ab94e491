/// A small model of Redis: the scripts of `WindowScripts`, each an atomic step.
struct ModelRedis {
    struct WindowKey: Hashable {
        let generation: Int
        let viewer: Int
        /// 0 for the ready window, else the number of a build.
        var build = 0
    }

    /// A window, newest first, with one entry a post.
    typealias Window = [ModelEntry]

    struct State: Equatable {
        var fence: Int
        var floor = 0
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
            case flip(Window, isComplete: Bool)
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
    }

    let cap: Int
    let limit: Int
    var run = 1
    var states: [Int: State] = [:]
    var windows: [WindowKey: Window] = [:]
    var trims = 0
    var refusals = 0

    init(cap: Int, slack: Int) {
        self.cap = cap
        limit = cap + slack
    }

    mutating func execute(_ command: Command, _ mechanisms: Set<Mechanism>) -> Reply {
        guard let state = states[command.generation] else { return .fenced }
        if mechanisms.contains(.fence), state.fence != command.fence {
            refusals += 1
            return .fenced
        }
        switch command.operation {
        case .push(let entry): push(entry, command, state.floor, mechanisms)
        case .remove(let post): for key in command.windows { change(key) { $0.removeAll { $0.post == post } } }
        case .retract(let entry): return .viewers(retract(entry, command, mechanisms))
        case .evict: for key in command.windows { windows[key] = nil }
        case .end: states[command.generation] = nil
        case .begin(let isReplacing):
            if isReplacing, windows[command.windows[1]] == nil { return .count(0) }
            windows[command.windows[0]] = [.sentinel]
        case .flip(let entries, let isComplete): return .count(flip(entries, isComplete, command, mechanisms))
        }
        return .count(1)
    }

    private mutating func push(
        _ entry: ModelEntry, _ command: Command, _ floor: Int, _ mechanisms: Set<Mechanism>
    ) {
        let isLate = entry.place <= floor && mechanisms.contains(.floorCheck)
        for key in command.windows {
            guard var window = windows[key], let lowest = window.last?.place else { continue }
            let count = window.count
            if isLate, entry.place < lowest {
                window.removeAll { $0.post == entry.post }
            } else {
                window.add(entry, mechanisms)
            }
            if count >= limit {
                window = Array(window.prefix(cap))
                note(window.last?.place, command.generation)
                trims += 1
            }
            windows[key] = window.isEmpty ? nil : window
        }
    }

    /// Returns the viewers in whose windows the post is not before the undone place.
    private mutating func retract(
        _ entry: ModelEntry, _ command: Command, _ mechanisms: Set<Mechanism>
    ) -> [Int] {
        var found: [Int] = []
        for key in command.windows {
            guard var window = windows[key] else { continue }
            let stands = window.contains(entry)
            if stands { window.removeAll { $0.post == entry.post } }
            let isBefore = window.contains { $0.post == entry.post && $0.place < entry.place }
            if !isBefore, stands || mechanisms.contains(.nextPlaceAboveFloor) { found.append(key.viewer) }
            windows[key] = window.isEmpty ? nil : window
        }
        return Set(found).sorted()
    }

    private mutating func flip(
        _ entries: Window, _ isComplete: Bool, _ command: Command, _ mechanisms: Set<Mechanism>
    ) -> Int {
        let (build, ready) = (command.windows[0], command.windows[1])
        guard var window = windows.removeValue(forKey: build), let lowest = window.last?.place else { return 0 }
        for entry in entries {
            if entry.place < lowest {
                window.removeAll { $0.post == entry.post }
            } else {
                window.add(entry, mechanisms)
            }
        }
        if !isComplete, let last = entries.last {
            window.removeAll { $0 == .sentinel || mechanisms.contains(.cutAtFlip) && $0.place < last.place }
        }
        window = Array(window.prefix(cap))
        guard let floor = window.last?.place else { return 0 }
        if mechanisms.contains(.floorAtFlip) { note(floor, command.generation) }
        windows[ready] = window
        return 1
    }

    /// Changes a window. An empty sorted set does not exist.
    private mutating func change(_ key: WindowKey, _ body: (inout Window) -> Void) {
        guard var window = windows[key] else { return }
        body(&window)
        windows[key] = window.isEmpty ? nil : window
    }

    private mutating func note(_ floor: Int?, _ generation: Int) {
        if let floor, let known = states[generation]?.floor, floor > known { states[generation]?.floor = floor }
    }
}

extension ModelRedis.Window {
    /// ZADD with GT.
    fileprivate mutating func add(_ entry: ModelEntry, _ mechanisms: Set<Mechanism>) {
        if let standing = first(where: { $0.post == entry.post }) {
            if standing.place <= entry.place, mechanisms.contains(.smallerPlaceStays) { return }
            removeAll { $0.post == entry.post }
        }
        insert(entry, at: firstIndex { $0.place < entry.place } ?? count)
    }
}
