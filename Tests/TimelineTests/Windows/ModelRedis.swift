/// Redis in small: the scripts of `WindowScripts` over sets, each an atomic step.
struct ModelRedis {
    struct WindowKey: Hashable {
        let generation: Int
        let viewer: Int
        /// 0 for the ready window, else the number of a build.
        var build = 0
    }

    struct State: Equatable {
        var fence: Int
        var floor = 0
    }

    struct Command {
        enum Operation: Equatable {
            case push(PostSet)
            case remove(PostSet)
            case raise(Int)
            case drop
            case begin
            case flip(PostSet, complete: Bool)
            case contents
        }

        var operation: Operation
        var windows: [WindowKey]
        let generation: Int
        let fence: Int
    }

    enum Reply: Equatable {
        case fenced
        case count(Int)
        case contents(PostSet)
    }

    let cap: Int
    let limit: Int
    var run = 1
    var states: [Int: State] = [:]
    var windows: [WindowKey: PostSet] = [:]
    var trims = 0
    var refusals = 0

    init(cap: Int, slack: Int) {
        self.cap = cap
        limit = cap + slack
    }

    mutating func execute(_ command: Command, _ mechanisms: Set<Mechanism>) -> Reply {
        if case .contents = command.operation {
            return .contents(windows[command.windows[0]] ?? PostSet())
        }
        guard let state = states[command.generation] else { return .fenced }
        if mechanisms.contains(.fence), state.fence != command.fence {
            refusals += 1
            return .fenced
        }
        switch command.operation {
        case .push(let posts): return .count(push(posts, command, state.floor, mechanisms))
        case .remove(let posts):
            for key in command.windows { change(key) { $0.subtracting(posts) } }
        case .raise(let floor):
            for key in command.windows { change(key) { $0.from(floor) } }
            note(floor, command.generation)
        case .drop:
            for key in command.windows { windows[key] = nil }
        case .begin: windows[command.windows[0]] = .sentinel
        case .flip(let posts, let complete):
            return .count(flip(posts, complete, command, mechanisms))
        case .contents: break
        }
        return .count(1)
    }

    private mutating func push(
        _ posts: PostSet, _ command: Command, _ floor: Int, _ mechanisms: Set<Mechanism>
    ) -> Int {
        var touched = 0
        let late = posts.last <= floor && mechanisms.contains(.floorCheck)
        for key in command.windows {
            guard let window = windows[key] else { continue }
            touched += 1
            var changed = window.union(late ? posts.from(window.last + 1) : posts)
            if window.count >= limit {
                changed = changed.newest(cap)
                note(changed.last, command.generation)
                trims += 1
            }
            windows[key] = changed
        }
        return touched
    }

    private mutating func flip(
        _ posts: PostSet, _ complete: Bool, _ command: Command, _ mechanisms: Set<Mechanism>
    ) -> Int {
        let (build, ready) = (command.windows[0], command.windows[1])
        guard let window = windows.removeValue(forKey: build) else { return 0 }
        var flipped = window.union(posts.from(window.last + 1))
        if !complete { flipped = flipped.subtracting(.sentinel) }
        flipped = flipped.newest(cap)
        if flipped.isEmpty { return 0 }
        if mechanisms.contains(.floorAtFlip) { note(flipped.last, command.generation) }
        windows[ready] = flipped
        return 1
    }

    /// An empty sorted set does not exist.
    private mutating func change(_ key: WindowKey, _ body: (PostSet) -> PostSet) {
        guard let window = windows[key] else { return }
        let changed = body(window)
        windows[key] = changed.isEmpty ? nil : changed
    }

    private mutating func note(_ floor: Int, _ generation: Int) {
        if let known = states[generation]?.floor, floor > known { states[generation]?.floor = floor }
    }
}

/// What keeps windows right. Each can be switched off, to see that the model notices.
enum Mechanism: String, CaseIterable, Sendable {
    /// Removals wait for additions composed from older snapshots.
    case gracePeriod
    /// A late push is silent below a window's floor.
    case floorCheck
    /// A flip records the floor that it creates.
    case floorAtFlip
    /// Commands left in the socket of an earlier connection are refused.
    case fence
    /// Another run of Redis has no windows.
    case generation
    /// Pushes reach building windows.
    case buildRegistry
    /// Builds, merges and unmerges of one reader take turns.
    case viewerLocks
    /// A merge of as many posts as a window holds raises the floor to the last of them.
    case mergeFloor
    /// A merge, too, takes out what is not reachable any more.
    case sweepAtMerge
    /// Readers whose own acts are on their way are answered from SQLite.
    case unsettledReaders
    /// Visibility is asked of every candidate at the read.
    case visibilityAtRead
}
