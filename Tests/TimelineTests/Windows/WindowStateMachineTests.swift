import TestSupport
import Testing

@testable import TimelineModels

@Suite(.timeLimit(.model))
struct WindowStateMachineTests {
    /// The result of the runs of a block of seeds.
    struct Outcome {
        var violation: String?
        var runs = 0
        var met = WindowStateMachine.Encounters()
        var folds = 0
        var refusedFolds = 0
        var refusals = 0
        var pushedCopies = 0
    }

    static func explore(
        _ seeds: Range<UInt64>, _ mechanisms: Set<Mechanism>, focus: [WindowStateMachine.Act] = [],
        isShard: Bool = false
    ) async -> Outcome {
        var outcome = Outcome()
        for seed in seeds {
            var machine = WindowStateMachine(
                seed: seed, mechanisms: mechanisms, focus: focus, isShard: isShard)
            outcome.violation = machine.run().map { "seed \(seed): \($0)" }
            outcome.runs += 1
            outcome.met.add(machine.met)
            outcome.folds += machine.redis.folds
            outcome.refusedFolds += machine.redis.refusedFolds
            outcome.refusals += machine.redis.refusals
            outcome.pushedCopies += machine.copies.pushed
            if outcome.violation != nil { break }
            // Yields to concurrent tests.
            await Task.yield()
        }
        return outcome
    }

    @Test(arguments: 0..<UInt64(4))
    func `no interleaving breaks a promise`(block: UInt64) async {
        let outcome = await Self.explore(block * 250..<(block + 1) * 250, Set(Mechanism.allCases))
        #expect(outcome.violation == nil)
        #expect(outcome.met.windowsChecked > 200)
        #expect(outcome.met.windowReads > 5_000)
        #expect(outcome.met.resharesShown > 20)
        #expect(outcome.met.lateReshares > 2)
        #expect(outcome.met.lostBuilds > 5)
        #expect(outcome.met.backfills > 50)
        #expect(outcome.met.tornReads > 300)
        #expect(outcome.folds > 50)
        #expect(outcome.refusedFolds > 5)
        #expect(outcome.met.queuedFolds > 50)
        #expect(outcome.met.lostFolds > 0)
        #expect(outcome.met.foldsByPushes > 50)
        #expect(outcome.met.longestTail > WindowStateMachine.tailBound)
        #expect(outcome.refusals > 5)
        #expect(outcome.pushedCopies > 200)
    }

    @Test(arguments: 0..<UInt64(4))
    func `no interleaving breaks a promise where a shard is given up now and then`(block: UInt64) async {
        let outcome = await Self.explore(block * 250..<(block + 1) * 250, Set(Mechanism.allCases), isShard: true)
        #expect(outcome.violation == nil)
        #expect(outcome.met.windowsChecked > 200)
        #expect(outcome.met.surrenders > 200)
    }

    @Test(arguments: Mechanism.allCases)
    func `every mechanism is needed: without it, some interleaving breaks a promise`(mechanism: Mechanism) async {
        let outcome = await Self.explore(
            mechanism.firstSeed..<mechanism.firstSeed + 20_000, Set(Mechanism.allCases).subtracting([mechanism]),
            focus: mechanism.focus, isShard: mechanism == .endedGeneration)
        #expect(outcome.violation != nil, "\(outcome.runs) runs found nothing")
    }
}

extension WindowStateMachine {
    /// Runs a phase of writes, reads and faults, then lets everything come to rest. Returns the first broken promise.
    mutating func run() -> String? {
        for _ in 0..<300 {
            let before = self
            takeTurn(isQuiet: false)
            stepCopies()
            if let violation = violationOfReads() ?? violationOfTornReads(since: before) ?? violationOfBounds()
                ?? violationOfCopies(since: before)
            {
                return violation
            }
        }
        for _ in 0..<10_000 {
            if outbox.isEmpty, activities.isEmpty, stale.isEmpty, epoch != nil {
                return violationOfReads() ?? violationOfWindows() ?? violationOfCopies(since: self)
            }
            takeTurn(isQuiet: true)
            stepCopies()
        }
        return "does not come to rest: \(activities.count) activities, \(outbox.count) jobs"
    }

    private mutating func takeTurn(isQuiet: Bool) {
        switch roll(100) {
        case 0..<53: stepAny()
        case 53..<55: held = isQuiet || !holdsBack || activities.isEmpty ? nil : activities[roll(activities.count)].id
        case 55..<65: startAnyJob()
        case 65..<70: acknowledge()
        case 70..<74: executeStale()
        case 74..<80:
            if epoch != nil { return }
            if isShard, !isQuiet, roll(2) == 0 { giveUp() } else { establish() }
        case 80..<98 where !isQuiet: if roll(3) == 0 { visit(roll(Self.users)) } else { commit() }
        default: if !isQuiet, roll(4) < faultRate { fault() }
        }
    }

    /// Runs a step of a random activity. One activity is delayed for a while, so that many other steps happen between
    /// two of its own.
    private mutating func stepAny() {
        guard !activities.isEmpty else { return }
        let index = roll(activities.count)
        if activities[index].id != held { _ = step(index) }
    }

    private mutating func startAnyJob() {
        let idle = outbox.filter { job in
            !done.contains(job.id) && !activities.contains { $0.kind == .job(job) }
        }
        if !idle.isEmpty { start(idle[roll(idle.count)]) }
        if roll(3) == 0 { startFold() }
    }

    private mutating func acknowledge() {
        outbox.removeAll { done.contains($0.id) }
        done = []
    }

    /// Reads a first page, which builds a missing window. Sometimes an existing window is rebuilt.
    private mutating func visit(_ viewer: Int) {
        guard epoch != nil, !pendingWrites.values.contains(viewer) else { return }
        guard !read(viewer).isFromWindow || roll(8) == 0 else { return }
        if !activities.contains(where: { $0.kind == .build(viewer) }) { startBuild(viewer) }
    }
}

extension WindowStateMachine.Encounters {
    fileprivate mutating func add(_ other: Self) {
        windowsChecked += other.windowsChecked
        windowReads += other.windowReads
        tornReads += other.tornReads
        resharesShown += other.resharesShown
        lateReshares += other.lateReshares
        lostBuilds += other.lostBuilds
        backfills += other.backfills
        queuedFolds += other.queuedFolds
        lostFolds += other.lostFolds
        foldsByPushes += other.foldsByPushes
        longestTail = max(longestTail, other.longestTail)
        surrenders += other.surrenders
    }
}
