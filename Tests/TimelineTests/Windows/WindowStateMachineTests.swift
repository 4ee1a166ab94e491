import Testing

@Suite("Window state machine, as a model", .timeLimit(.minutes(2)))
struct WindowStateMachineTests {
    /// What the runs of a block of seeds came to.
    struct Outcome {
        var violation: String?
        var runs = 0
        var windowsChecked = 0
        var windowReads = 0
        var trims = 0
        var refusals = 0
    }

    static func explore(_ seeds: Range<UInt64>, _ mechanisms: Set<Mechanism>) async -> Outcome {
        var outcome = Outcome()
        for seed in seeds {
            var machine = WindowStateMachine(seed: seed, mechanisms: mechanisms)
            outcome.violation = machine.run().map { "seed \(seed): \($0)" }
            outcome.runs += 1
            outcome.windowsChecked += machine.windowsChecked
            outcome.windowReads += machine.windowReads
            outcome.trims += machine.redis.trims
            outcome.refusals += machine.redis.refusals
            if outcome.violation != nil { break }
            // The tests beside this one need the threads, too.
            await Task.yield()
        }
        return outcome
    }

    @Test("no interleaving breaks a promise", arguments: 0..<UInt64(4))
    func holds(block: UInt64) async {
        let outcome = await Self.explore(block * 500..<(block + 1) * 500, Set(Mechanism.allCases))
        #expect(outcome.violation == nil)
        #expect(outcome.windowsChecked > 200)
        #expect(outcome.windowReads > 5_000)
        #expect(outcome.trims > 50)
        #expect(outcome.refusals > 5)
    }

    @Test("every mechanism is needed: without it, some interleaving breaks a promise", arguments: Mechanism.allCases)
    func canary(mechanism: Mechanism) async {
        let outcome = await Self.explore(0..<20_000, Set(Mechanism.allCases).subtracting([mechanism]))
        #expect(outcome.violation != nil, "\(outcome.runs) runs found nothing")
    }
}

extension WindowStateMachine {
    /// A stretch of writes, reads and faults, then everything comes to rest. Returns the first broken promise.
    mutating func run() -> String? {
        for _ in 0..<220 {
            takeTurn(isQuiet: false)
            if let violation = violationOfReads() { return violation }
        }
        for _ in 0..<5_000 {
            if outbox.isEmpty, activities.isEmpty, stale.isEmpty { return violationOfReads() ?? violationOfWindows() }
            takeTurn(isQuiet: true)
        }
        return "does not come to rest: \(activities.count) activities, \(outbox.count) jobs"
    }

    private mutating func takeTurn(isQuiet: Bool) {
        switch roll(100) {
        case 0..<55: if !activities.isEmpty { _ = step(roll(activities.count)) }
        case 55..<70: startAnyJob()
        case 70..<76: executeStale()
        case 76..<82: if epoch == nil { establish() }
        case 82..<97 where !isQuiet: if roll(3) == 0 { visit(roll(Self.users)) } else { commit() }
        case 97..<100 where !isQuiet: if roll(2) == 0 { fault() }
        default: break
        }
    }

    private mutating func startAnyJob() {
        let idle = outbox.filter { job in !activities.contains { $0.kind == .job(job) } }
        if !idle.isEmpty { start(idle[roll(idle.count)]) }
    }

    /// A first page: who has no window is given one. Now and then a window is built over one that is there.
    private mutating func visit(_ viewer: Int) {
        guard epoch != nil, !unsettled.values.contains(viewer) else { return }
        guard !read(viewer).isFromWindow || roll(8) == 0 else { return }
        if !activities.contains(where: { $0.kind == .build(viewer) }) { startBuild(viewer) }
    }
}
