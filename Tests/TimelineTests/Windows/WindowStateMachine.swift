/// The window state machine of `docs/decisions/0001-window-state-machine.md` as a pure model: a few users, the outbox,
/// the serving process with its activities, and Redis, in atomic steps that a random schedule interleaves. Sizes are
/// tiny (a cap of 2, one post a call, one follower a chunk), so that every race is near.
struct WindowStateMachine {
    struct Job: Equatable {
        enum Work: Equatable {
            case push(Int)
            case unpush(Int)
            case edge(follower: Int, followee: Int)
            case drop(Set<Int>)
        }

        let id: Int
        let work: Work
        /// Who must not be answered from a window until the job is done.
        let unsettledReader: Int?
    }

    struct Epoch: Equatable {
        let generation: Int
        let fence: Int
    }

    static let users = 4
    static let cap = 2
    static let slack = 1

    let mechanisms: Set<Mechanism>
    var random: SplitMix64

    // On disk.
    var graph = ModelGraph(users: users)
    var outbox: [Job] = []
    var generation = (name: 0, run: 0)
    private var nextJob = 1
    private var nextGeneration = 1
    private var nextFence = 1

    // In Redis, and on the way to it.
    var redis = ModelRedis(cap: cap, slack: slack)
    var savedRedis = ModelRedis(cap: cap, slack: slack)
    /// Commands that wait in sockets of connections that were given up.
    var stale: [ModelRedis.Command] = []

    // In the serving process.
    var epoch: Epoch?
    var activities: [Activity] = []
    var unsettled: [Int: Int] = [:]
    var openTickets: Set<Int> = []
    var nextTicket = 1
    /// Viewer to the activity that holds its lock.
    var locks: [Int: Int] = [:]
    var builds: [(viewer: Int, number: Int)] = []
    var nextActivity = 1

    // What a run has met, so that a test cannot pass for want of events.
    var windowsChecked = 0
    var windowReads = 0

    init(seed: UInt64, mechanisms: Set<Mechanism> = Set(Mechanism.allCases)) {
        self.mechanisms = mechanisms
        random = SplitMix64(seed: seed)
        establish()
    }

    func has(_ mechanism: Mechanism) -> Bool { mechanisms.contains(mechanism) }

    mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }
}

// MARK: Commits

extension WindowStateMachine {
    mutating func enqueue(_ work: Job.Work, unsettledReader: Int? = nil) {
        outbox.append(Job(id: nextJob, work: work, unsettledReader: unsettledReader))
        if let unsettledReader { unsettled[nextJob] = unsettledReader }
        nextJob += 1
    }

    /// One random acknowledged write.
    mutating func commit() {
        let (one, other) = (roll(Self.users), roll(Self.users))
        switch roll(10) {
        case 0..<4 where graph.postCount < 60:
            let collaborator = one != other && graph.follows(other, one) && roll(2) == 0 ? other : nil
            let post = graph.publish(by: one, with: collaborator)
            enqueue(.push(post), unsettledReader: one)
        case 4:
            let posts = graph.live.newestFirst.prefix(8)
            guard !posts.isEmpty else { return }
            let post = posts[roll(posts.count)]
            graph.delete(post)
            for job in outbox where job.work == .push(post) { unsettled[job.id] = nil }
            outbox.removeAll { $0.work == .push(post) }
            enqueue(.unpush(post))
        case 5..<9 where one != other:
            if graph.follows(one, other) { graph.unfollow(one, other) } else { graph.follow(one, other) }
            enqueue(.edge(follower: one, followee: other), unsettledReader: one)
        case 9 where one != other && !graph.follows(one, other):
            graph.follow(one, other)
            enqueue(.drop([one]))
        default: break
        }
    }
}

// MARK: Faults

extension WindowStateMachine {
    mutating func fault() {
        switch roll(8) {
        case 0, 1: reconnect()
        case 2:
            // kill -9: what was sent may still be executed.
            reconnect()
            epoch = nil
            activities = []
            openTickets = []
            locks = [:]
            builds = []
            unsettled = [:]
            for job in outbox { unsettled[job.id] = job.unsettledReader }
        case 3:
            redis.windows = [:]
            redis.states = [:]
        case 4: savedRedis = redis
        case 5:
            let run = redis.run + 1
            redis = roll(3) == 0 ? ModelRedis(cap: Self.cap, slack: Self.slack) : savedRedis
            redis.run = run
            stale = []
            for index in activities.indices { activities[index].command = nil }
            epoch = has(.generation) ? nil : epoch
        default:
            guard
                let victim = redis.windows.keys.sorted(by: { ($0.viewer, $0.build) < ($1.viewer, $1.build) }).first(
                    where: { _ in roll(3) == 0 })
            else { return }
            redis.windows[victim] = nil
        }
    }

    /// The connection is given up; what it had sent stays in its socket.
    mutating func reconnect() {
        for index in activities.indices {
            if let command = activities[index].command { stale.append(command) }
            activities[index].command = nil
        }
        epoch = nil
    }

    /// The handshake of a new connection.
    mutating func establish() {
        let isSameRun = generation.run == redis.run || !has(.generation)
        if generation.name == 0 || !isSameRun || redis.states[generation.name] == nil {
            generation = (nextGeneration, redis.run)
            nextGeneration += 1
            redis.states[generation.name] = ModelRedis.State(fence: nextFence)
        }
        redis.states[generation.name]?.fence = nextFence
        epoch = Epoch(generation: generation.name, fence: nextFence)
        nextFence += 1
    }

    mutating func executeStale() {
        guard !stale.isEmpty else { return }
        _ = redis.execute(stale.remove(at: roll(stale.count)), mechanisms)
    }
}

// MARK: Reads

extension WindowStateMachine {
    /// What `viewer` is shown on a whole walk, as `TimelineReader` puts it together, and whether a window had part in
    /// it.
    func read(_ viewer: Int) -> (shown: PostSet, isFromWindow: Bool) {
        let truth = graph.home(of: viewer)
        guard let epoch, !(has(.unsettledReaders) && unsettled.values.contains(viewer)),
            let window = redis.windows[ModelRedis.WindowKey(generation: epoch.generation, viewer: viewer)]
        else { return (truth, false) }
        let below = window.contains(0) ? PostSet() : truth.below(window.last)
        let candidates = window.posts.union(below)
        return (has(.visibilityAtRead) ? candidates.intersection(truth) : candidates, true)
    }

    /// Posts that a walk may still lack: by others, and on their way. Nil: anything, as the graph was written in bulk.
    private func excused(_ viewer: Int) -> PostSet? {
        var excused = PostSet()
        for job in outbox {
            switch job.work {
            case .push(let post) where job.unsettledReader != viewer: excused = excused.union(PostSet(post))
            case .drop(let viewers) where viewers.contains(viewer): return nil
            default: break
            }
        }
        return excused
    }

    /// The first promise that a read breaks at this moment.
    mutating func violationOfReads() -> String? {
        for viewer in 0..<Self.users {
            let (shown, isFromWindow) = read(viewer)
            guard isFromWindow else { continue }
            windowReads += 1
            let truth = graph.home(of: viewer)
            let hidden = shown.subtracting(truth)
            if !hidden.isEmpty { return "reader \(viewer) is shown \(hidden), which is hidden" }
            guard let excused = excused(viewer) else { continue }
            let missing = truth.subtracting(shown).subtracting(excused)
            if !missing.isEmpty { return "reader \(viewer) misses \(missing)" }
        }
        return nil
    }

    /// The first window that is not exact, once nothing is under way.
    mutating func violationOfWindows() -> String? {
        for (key, window) in redis.windows where key.generation == generation.name && key.build == 0 {
            windowsChecked += 1
            let truth = graph.home(of: key.viewer).from(window.last)
            if truth != window.posts { return "window of \(key.viewer) holds \(window), truth is \(truth)" }
        }
        return nil
    }
}
