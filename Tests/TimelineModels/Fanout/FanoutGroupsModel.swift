import TestSupport

/// The outbox of two nodes as a pure model, in atomic steps that a random schedule interleaves: each job is done in the
/// windows of two groups, whose leases pass from node to node at any moment, while the former owner goes on until it
/// notices, and what it has sent is still on its way. What happens within a group is up to ``WindowStateMachine``.
struct FanoutGroupsModel {
    enum Mechanism: CaseIterable {
        /// A new owner writes a fence before anything else; commands with another one are refused.
        case fence
        /// Acknowledgements of a former owner are refused.
        case epoch
        /// A job stays in the outbox until it is done in all groups.
        case bits
        /// A new owner begins with the oldest job that is not done in its groups.
        case beginning
        /// The window that has a job done is the reader's own, before it is read again.
        case ownGroup
        /// The rows that find the audience of a removal stay until the removal is done in all groups.
        case finaleLast
        /// A removal waits for pushes composed from older snapshots.
        case grace
        /// A fan-out that begins anew under the same lease has another fence.
        case fenceOfEachStart
    }

    struct Job: Equatable {
        let id: Int
        let post: Int
        let author: Int
        let isRemoval: Bool
        var done: Set<Int> = []
    }

    struct Fence: Equatable {
        let epoch: Int
        let number: Int
    }

    struct Command: Equatable {
        let generation: Int
        let fence: Fence
        let reader: Int
        let post: Int
        let isRemoval: Bool
    }

    struct Activity {
        let job: Job
        var commands: [Command]
        /// The activity is composed anew once nothing of it is on its way.
        var hasFailed = false
    }

    /// The fan-out of one node for the groups that it believes to have.
    struct Worker {
        /// The epoch, the generation and the fence of each group.
        var groups: [Int: (epoch: Int, generation: Int, fence: Fence)] = [:]
        var received: Set<Int> = []
        var activities: [Activity] = []
        var finished: Set<Int> = []
        var finales: Set<Int> = []
    }

    static let groups = 0..<2
    static let readers = 0..<4
    static let nodes = 0..<2
    static func group(of reader: Int) -> Int { reader % groups.count }

    let mechanisms: Set<Mechanism>
    private var random: SplitMix64

    // In the database:
    private(set) var live: Set<Int> = []
    private var audiences: Set<Int> = []
    private(set) var jobs: [Job] = []
    private var nextJob = 1
    private var nextPost = 1
    private var owners = [0, 1]
    private var epochs = [1, 1]
    private var generations = [1, 2]

    // In Redis, and on the way to it:
    private var fences: [Int: Fence] = [:]
    private var windows: [Int: [Int: Set<Int>]] = [:]
    private var stale: [Command] = []
    private var nextNumber = 10

    // In the nodes:
    private var workers = nodes.map { _ in Worker() }

    private(set) var passes = 0
    private(set) var refusals = 0
    private(set) var deliveries = 0

    init(seed: UInt64, without missing: Mechanism? = nil) {
        mechanisms = Set(Mechanism.allCases).subtracting([missing].compactMap(\.self))
        random = SplitMix64(seed: seed)
        for node in Self.nodes { begin(node) }
    }

    private func has(_ mechanism: Mechanism) -> Bool { mechanisms.contains(mechanism) }
    private mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

    /// Runs a phase of acts and faults, then lets everything come to rest. Returns the first broken promise.
    mutating func run() -> String? {
        for _ in 0..<120 {
            step(isQuiet: false)
            if let violation = violationOfOwnPosts() { return violation }
        }
        for _ in 0..<5_000 {
            step(isQuiet: true)
            if let violation = violationOfOwnPosts() { return violation }
            if jobs.isEmpty, workers.allSatisfy(\.activities.isEmpty) { return violationAtRest() }
        }
        return "does not come to rest: \(jobs)"
    }

    private mutating func step(isQuiet: Bool) {
        let node = roll(Self.nodes.count)
        switch roll(20) {
        case 0...1 where !isQuiet: publish()
        case 2 where !isQuiet: delete()
        case 3 where !isQuiet && roll(3) == 0: pass(roll(Self.groups.count))
        case 4 where !isQuiet && roll(4) == 0: loseRedis(roll(Self.groups.count))
        case 5...6: if !believesRight(node) || !isQuiet && roll(8) == 0 { begin(node) }
        case 7...8: receive(node)
        case 9...11: start(node)
        case 12...15: execute(node)
        case 16: executeStale()
        case 17: acknowledge(node)
        case 18: end(node)
        default: build(roll(Self.readers.count))
        }
    }

    // MARK: Acts

    private mutating func publish() {
        let author = roll(Self.readers.count)
        live.insert(nextPost)
        audiences.insert(nextPost)
        jobs.append(Job(id: nextJob, post: nextPost, author: author, isRemoval: false))
        (nextJob, nextPost) = (nextJob + 1, nextPost + 1)
    }

    private mutating func delete() {
        guard let post = live.sorted().last else { return }
        live.remove(post)
        jobs.append(Job(id: nextJob, post: post, author: -1, isRemoval: true))
        nextJob += 1
    }

    /// Passes the lease of a group to the other node. The former owner has died or is stopped, or gives it up.
    private mutating func pass(_ group: Int) {
        let former = owners[group]
        owners[group] = 1 - former
        epochs[group] += 1
        passes += 1
        if roll(2) == 0 { begin(former) }
    }

    /// The windows of a group are gone. Whoever owns it will begin a new generation.
    private mutating func loseRedis(_ group: Int) {
        generations[group] = nextNumber
        nextNumber += 1
    }

    // MARK: Nodes

    private func believesRight(_ node: Int) -> Bool {
        Self.groups.allSatisfy { group in
            let believed = workers[node].groups[group]
            return owners[group] == node
                ? believed?.epoch == epochs[group] && believed?.generation == generations[group] : believed == nil
        }
    }

    /// Begins the fan-out of a node anew, for the groups whose leases it has.
    private mutating func begin(_ node: Int) {
        stale += workers[node].activities.flatMap(\.commands)
        var worker = Worker()
        for group in Self.groups where owners[group] == node {
            let (generation, epoch) = (generations[group], epochs[group])
            nextNumber += 1
            let fence = Fence(epoch: epoch, number: has(.fenceOfEachStart) ? nextNumber : 0)
            fences[generation] = fence
            worker.groups[group] = (epoch, generation, fence)
        }
        if !has(.beginning) { worker.received = Set(jobs.map(\.id)) }
        workers[node] = worker
    }

    private mutating func receive(_ node: Int) {
        let own = Set(workers[node].groups.keys)
        for job in jobs where workers[node].received.insert(job.id).inserted {
            if own.isSubset(of: job.done) {
                if job.isRemoval, own.contains(0) { workers[node].finales.insert(job.id) }
            } else {
                workers[node].activities.append(Activity(job: job, commands: [], hasFailed: true))
            }
        }
    }

    /// Composes the commands of an activity from what the database tells now.
    private mutating func start(_ node: Int) {
        let worker = workers[node]
        let idle = worker.activities.indices.filter { worker.activities[$0].hasFailed }
        guard !idle.isEmpty else { return }
        let index = idle[roll(idle.count)]
        let job = worker.activities[index].job
        let pushes = worker.activities.contains { !$0.job.isRemoval && !$0.commands.isEmpty }
        if job.isRemoval, has(.grace), pushes { return }
        let applies = audiences.contains(job.post) && (job.isRemoval || live.contains(job.post))
        var commands: [Command] = []
        for reader in Self.readers where applies {
            guard let own = worker.groups[Self.group(of: reader)] else { continue }
            commands.append(
                Command(
                    generation: own.generation, fence: own.fence, reader: reader, post: job.post,
                    isRemoval: job.isRemoval))
        }
        workers[node].activities[index].commands = commands
        workers[node].activities[index].hasFailed = false
        if commands.isEmpty { finish(node, index) }
    }

    private mutating func execute(_ node: Int) {
        let busy = workers[node].activities.indices.filter { !workers[node].activities[$0].commands.isEmpty }
        guard !busy.isEmpty else { return }
        let index = busy[roll(busy.count)]
        let command = workers[node].activities[index].commands.removeFirst()
        if !execute(command) {
            workers[node].activities[index].commands = []
            workers[node].activities[index].hasFailed = true
        } else if workers[node].activities[index].commands.isEmpty {
            finish(node, index)
        }
    }

    private mutating func finish(_ node: Int, _ index: Int) {
        let job = workers[node].activities.remove(at: index).job
        workers[node].finished.insert(job.id)
        if job.isRemoval, workers[node].groups[0] != nil { workers[node].finales.insert(job.id) }
    }

    private mutating func executeStale() {
        if !stale.isEmpty { _ = execute(stale.remove(at: roll(stale.count))) }
    }

    /// Returns false if the command was refused.
    private mutating func execute(_ command: Command) -> Bool {
        if has(.fence), fences[command.generation] != command.fence {
            refusals += 1
            return false
        }
        deliveries += 1
        if command.isRemoval {
            windows[command.generation]?[command.reader]?.remove(command.post)
        } else {
            windows[command.generation]?[command.reader]?.insert(command.post)
        }
        return true
    }

    /// The owner of the reader's group builds a missing window, in one step.
    private mutating func build(_ reader: Int) {
        let group = Self.group(of: reader)
        let node = owners[group]
        guard let own = workers[node].groups[group], own.generation == generations[group],
            fences[own.generation] == own.fence, windows[own.generation]?[reader] == nil
        else { return }
        windows[own.generation, default: [:]][reader] = live
    }

    private func isInForce(_ worker: Worker) -> Bool {
        worker.groups.allSatisfy { epochs[$0] == $1.epoch && generations[$0] == $1.generation }
    }

    private mutating func acknowledge(_ node: Int) {
        let worker = workers[node]
        workers[node].finished = []
        guard isInForce(worker) || !has(.epoch) else { return }
        for index in jobs.indices where worker.finished.contains(jobs[index].id) {
            jobs[index].done.formUnion(has(.bits) ? Array(worker.groups.keys) : Array(Self.groups))
        }
        jobs.removeAll { !$0.isRemoval && $0.done.count == Self.groups.count }
    }

    /// Ends removals that are done everywhere.
    private mutating func end(_ node: Int) {
        let worker = workers[node]
        for job in jobs where worker.finales.contains(job.id) {
            guard job.done.count == Self.groups.count || !has(.finaleLast) else { continue }
            audiences.remove(job.post)
            guard isInForce(worker), job.done.count == Self.groups.count else { continue }
            jobs.removeAll { $0 == job }
            workers[node].finales.remove(job.id)
        }
    }

    // MARK: Promises

    /// The window that `reader` is answered from; nil: the database answers.
    private func window(of reader: Int) -> Set<Int>? {
        let waits = jobs.contains { job in
            guard job.author == reader else { return false }
            return has(.ownGroup) ? !job.done.contains(Self.group(of: reader)) : job.done.isEmpty
        }
        return waits ? nil : windows[generations[Self.group(of: reader)]]?[reader]
    }

    private func violationOfOwnPosts() -> String? {
        for reader in Self.readers {
            guard let window = window(of: reader) else { continue }
            for post in live where !window.contains(post) {
                let job = jobs.first { $0.post == post && !$0.isRemoval }
                guard let job else { return "reader \(reader) misses \(post)" }
                if job.author == reader { return "author \(reader) misses \(post)" }
                if job.done.contains(Self.group(of: reader)) { return "reader \(reader) misses \(post), which is done" }
            }
        }
        return nil
    }

    private func violationAtRest() -> String? {
        for reader in Self.readers {
            guard let window = windows[generations[Self.group(of: reader)]]?[reader] else { continue }
            if window != live { return "window \(reader) is \(window.sorted()), not \(live.sorted())" }
        }
        return nil
    }
}
