import TestSupport

/// The window state machine of `docs/decisions/0001-window-state-machine.md` as a pure model: a few users, the outbox,
/// the serving process with its activities, and Redis, in atomic steps that a random schedule interleaves. Sizes are
/// tiny (a cap of 2, one post a call, one follower a chunk), so that every race is likely.
struct WindowStateMachine {
    struct Job: Equatable {
        enum Work: Equatable {
            case push(Int)
            case remove(Int)
            case addReason(ModelEntry, by: Int)
            case removeReason(ModelEntry, by: Int)
            case rebuild(Int)
            case evict(Int)
            case evictAll
            case backfill(Int, since: Int)
        }

        let id: Int
        let work: Work
        /// The reader who must not be answered from a window until the job's first step is done.
        let writer: Int?
    }

    struct Epoch: Equatable {
        let generation: Int
        let fence: Int
    }

    static let users = ModelGraph.users
    static let cap = 2
    static let tailLimit = 2
    static let tailBound = 4

    let mechanisms: Set<Mechanism>
    var random: SplitMix64
    var preferences: [Act] = []
    /// Number of faults in 200 turns.
    var faultRate = 0
    /// The capacity of the queue of folds; 0 if every fold is part of its push.
    var foldCapacity = 0
    /// True if the windows are those of a shard: the process does not wait for it for ever.
    let isShard: Bool

    // On disk:
    var graph = ModelGraph()
    var outbox: [Job] = []
    var generation = (name: 0, run: 0)
    private var nextJob = 1
    private var nextGeneration = 1
    private var nextFence = 1

    // In Redis, and on the way to it:
    var redis = ModelRedis(cap: cap, tailLimit: tailLimit, tailBound: tailBound)
    var savedRedis = ModelRedis(cap: cap, tailLimit: tailLimit, tailBound: tailBound)
    /// Commands in the sockets of abandoned connections.
    var stale: [ModelRedis.Command] = []

    // In the serving process:
    var epoch: Epoch?
    var isGivenUp = false
    var activities: [Activity] = []
    /// The viewers whose tails are to be folded, beside the pushes that have found them full.
    var waitingFolds: [Int] = []
    /// Finished jobs that are still in the outbox.
    var done: Set<Int> = []
    var pendingWrites: [Int: Int] = [:]
    var openTickets: Set<Int> = []
    var nextTicket = 1
    /// The activity that holds the lock of each viewer.
    var locks: [Int: Int] = [:]
    var builds: [(viewer: Int, number: Int)] = []
    var nextActivity = 1
    var held: Int?
    var holdsBack = false
    var nextBuild = 1

    var copies: ModelCopies

    // Events of a run, so that a run without them cannot pass.
    var met = Encounters()

    struct Encounters {
        var windowsChecked = 0
        var windowReads = 0
        /// Reads during which the window changed.
        var tornReads = 0
        var resharesShown = 0
        var lateReshares = 0
        var lostBuilds = 0
        var backfills = 0
        /// Folds that were queued, lost from the queue, and made by a push although there is a queue.
        var queuedFolds = 0
        var lostFolds = 0
        var foldsByPushes = 0
        /// The length of the longest tail.
        var longestTail = 0
        /// Operations that did not wait.
        var surrenders = 0
    }

    init(
        seed: UInt64, mechanisms: Set<Mechanism> = Set(Mechanism.allCases), focus: [Act] = [], isShard: Bool = false
    ) {
        self.mechanisms = mechanisms
        self.isShard = isShard
        random = SplitMix64(seed: seed)
        copies = ModelCopies(seed: seed)
        establish()
        choosePreferences(focus)
    }

    func has(_ mechanism: Mechanism) -> Bool { mechanisms.contains(mechanism) }

    mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

    mutating func enqueue(_ work: Job.Work, writer: Int? = nil) {
        outbox.append(Job(id: nextJob, work: work, writer: writer))
        if let writer { pendingWrites[nextJob] = writer }
        nextJob += 1
    }
}

// MARK: Faults

extension WindowStateMachine {
    mutating func fault() {
        switch roll(10) {
        case 0, 1: reconnect()
        case 2:
            // After kill -9, sent commands may still be executed.
            reconnect()
            isGivenUp = false
            activities = []
            loseFolds()
            done = []
            openTickets = []
            locks = [:]
            builds = []
            (copies.copies, copies.loads) = ([:], [])
            pendingWrites = [:]
            for job in outbox { pendingWrites[job.id] = job.writer }
        case 3:
            redis.sorted = [:]
            redis.tails = [:]
            redis.states = [:]
        case 4: savedRedis = redis
        case 5:
            let run = redis.run + 1
            redis =
                roll(3) == 0
                ? ModelRedis(cap: Self.cap, tailLimit: Self.tailLimit, tailBound: Self.tailBound) : savedRedis
            redis.run = run
            stale = []
            for index in activities.indices { activities[index].command = nil }
            epoch = has(.generation) ? nil : epoch
        case 6: evict(from: \.sorted) { $0.build == 0 }
        case 7: evict(from: \.tails) { $0.build == 0 }
        case 8: loseFolds()
        default: evict(from: \.tails) { $0.build != 0 }
        }
    }

    /// Removes one key that was evicted or has expired.
    private mutating func evict<Value>(
        from keys: WritableKeyPath<ModelRedis, [ModelRedis.WindowKey: Value]>,
        _ isCandidate: (ModelRedis.WindowKey) -> Bool
    ) {
        let candidates = redis[keyPath: keys].keys.filter(isCandidate)
            .sorted { ($0.generation, $0.viewer, $0.build) < ($1.generation, $1.viewer, $1.build) }
        if !candidates.isEmpty { redis[keyPath: keys][candidates[roll(candidates.count)]] = nil }
    }

    private mutating func loseFolds() {
        met.lostFolds += waitingFolds.count
        waitingFolds = []
    }

    /// Abandons the connection. The commands that it had sent stay in its socket.
    mutating func reconnect() {
        for index in activities.indices {
            if let command = activities[index].command { stale.append(command) }
            activities[index].command = nil
        }
        epoch = nil
    }

    /// Performs the handshake of a new connection.
    mutating func establish() {
        let isSameRun = generation.run == redis.run || !has(.generation)
        if generation.name == 0 || !isSameRun || redis.states[generation.name] == nil {
            generation = (nextGeneration, redis.run)
            nextGeneration += 1
            redis.states[generation.name] = ModelRedis.State(fence: nextFence)
            if has(.generationEndsCopies) { copies.copies = [:] }
        }
        redis.states[generation.name]?.fence = nextFence
        epoch = Epoch(generation: generation.name, fence: nextFence)
        isGivenUp = false
        nextFence += 1
    }

    /// Ends the generation of a shard that is down.
    mutating func giveUp() {
        if has(.endedGeneration) { generation.run = 0 }
        isGivenUp = true
    }

    mutating func executeStale() {
        guard !stale.isEmpty else { return }
        _ = redis.execute(stale.remove(at: roll(stale.count)), mechanisms)
    }
}

// MARK: Reads

extension WindowStateMachine {
    /// The places that `viewer` is shown on a whole walk, composed like in `HomeReader` (sources propose places, the
    /// rule disposes), and whether a window contributed.
    func read(_ viewer: Int) -> (shown: PlaceSet, isFromWindow: Bool) {
        guard let glimpse = glimpse(of: viewer),
            let shown = shown(
                glimpse, to: viewer, beside: graph.proposals(of: viewer, whileReturning: has(.pullingWhileReturning)))
        else { return (graph.home(of: viewer), false) }
        return (shown, true)
    }

    /// The window that `viewer` may be answered from.
    private func glimpse(of viewer: Int) -> ModelRedis.Glimpse? {
        guard let epoch, !(has(.readersWithPendingWrites) && pendingWrites.values.contains(viewer)) else { return nil }
        return redis.glimpse(ModelRedis.WindowKey(generation: epoch.generation, viewer: viewer))
    }

    private func shown(_ glimpse: ModelRedis.Glimpse, to viewer: Int, beside proposals: PlaceSet) -> PlaceSet? {
        glimpse.contents(mechanisms).map { shown($0.entries, downTo: $0.floor, to: viewer, beside: proposals) }
    }

    func shown(
        _ entries: [ModelEntry], downTo floor: Int, to viewer: Int, beside proposals: PlaceSet
    ) -> PlaceSet {
        let truth = graph.home(of: viewer)
        var places = proposals
        for entry in entries where entry != .sentinel { places.insert(entry.place) }
        let shown = has(.ruleAtRead) ? places.intersection(truth) : places
        return shown.from(floor).union(truth.below(floor))
    }

    /// Posts by others, still on their way, that `viewer` may see elsewhere or not at all for now. Nil for any post,
    /// because the graph was written in bulk.
    func excused(_ viewer: Int) -> PlaceSet? {
        var excused = PlaceSet()
        for job in outbox where job.writer != viewer {
            switch job.work {
            case .push(let post): excused.insert(post)
            case .addReason(let entry, _), .removeReason(let entry, _): excused.insert(entry.post)
            case .evict(viewer), .evictAll: return nil
            default: break
            }
        }
        return excused
    }

    /// Returns the first promise that a read breaks at this moment.
    mutating func violationOfReads() -> String? {
        for viewer in 0..<Self.users {
            let (shown, isFromWindow) = read(viewer)
            guard isFromWindow else { continue }
            met.windowReads += 1
            let truth = graph.home(of: viewer)
            if shown == truth { continue }
            let wrong = shown.subtracting(truth)
            if !wrong.isEmpty { return "reader \(viewer) is shown \(wrong), which is hidden or stands elsewhere" }
            guard let excused = excused(viewer) else { continue }
            let missing = truth.subtracting(shown).newestFirst.filter { !excused.contains(graph.posts[$0]) }
            if !missing.isEmpty { return "reader \(viewer) misses \(missing.map(graph.entry))" }
        }
        return nil
    }

    /// Returns the first promise broken by a read that began in the state `before`: it asked who is pulled and read a
    /// stamp, then the sorted set, then, after this turn, the tail.
    mutating func violationOfTornReads(since before: WindowStateMachine) -> String? {
        for viewer in 0..<Self.users where before.epoch == epoch {
            guard let first = before.glimpse(of: viewer), let last = glimpse(of: viewer), first != last else {
                continue
            }
            if has(.stampedRead), first.tail?.stamp != last.tail?.stamp { continue }
            let proposals = before.graph.proposals(of: viewer, whileReturning: has(.pullingWhileReturning))
            for sorted in [first.sorted, last.sorted] {
                let torn = ModelRedis.Glimpse(sorted: sorted, tail: last.tail)
                guard let shown = shown(torn, to: viewer, beside: proposals) else { continue }
                met.tornReads += 1
                guard let excused = excused(viewer), let excusedBefore = before.excused(viewer) else { continue }
                let missing = before.graph.home(of: viewer).intersection(graph.home(of: viewer)).subtracting(shown)
                    .newestFirst.map(graph.entry)
                    .filter { !excused.contains($0.post) && !excusedBefore.contains($0.post) }
                if !missing.isEmpty { return "reader \(viewer) misses \(missing) in a read that a change cut in two" }
            }
        }
        return nil
    }

    /// Returns the first tail that goes on growing although pushes found it at its bound. Each push in progress may
    /// have added to it twice (an author may be a follower, too), and each refused fold has left it as it was.
    mutating func violationOfBounds() -> String? {
        for (key, tail) in redis.tails where key.build == 0 && key.generation == epoch?.generation {
            met.longestTail = max(met.longestTail, tail.entries.count)
            if faultRate == 0, tail.appendsBeyondBound > activities.count * 2 + redis.refusedFolds {
                return "the tail of \(key.viewer) has \(tail.entries.count) entries"
            }
        }
        return nil
    }

    /// Returns the first wrong window once nothing is in progress.
    mutating func violationOfWindows() -> String? {
        for key in redis.sorted.keys where key.generation == generation.name {
            guard let (window, floor) = redis.glimpse(key).contents(mechanisms) else { continue }
            met.windowsChecked += 1
            for entry in window where entry != .sentinel {
                if entry.isReshare { met.resharesShown += 1 }
                guard graph.isReason(entry.place, for: key.viewer) else {
                    return "window of \(key.viewer) holds \(entry), where no reason stands"
                }
                guard let place = graph.windowPlace(of: entry.post, for: key.viewer), place < entry.place
                else { continue }
                if window.contains(where: { $0.post == entry.post && $0.place < entry.place }) { continue }
                // A window cannot show reasons below its floor.
                if graph.firstReason(for: entry.post, of: key.viewer) >= floor {
                    return "window of \(key.viewer) holds \(entry), not \(graph.entry(place))"
                }
                met.lateReshares += 1
            }
            for place in graph.window(of: key.viewer).from(floor).newestFirst {
                let post = graph.posts[place]
                // Pushed before its author became a hub, and trimmed since: the read finds it below the floor.
                if graph.firstReason(for: post, of: key.viewer) < floor { continue }
                guard window.contains(where: { $0.post == post }) else {
                    return "window \(window) of \(key.viewer) lacks \(graph.entry(place))"
                }
            }
        }
        return nil
    }
}
