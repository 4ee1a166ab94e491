/// The slowest home pages over the real graph at a fixed rate, compared with the median of the same run.
struct ReadTailRatio: RatioMeasurement {
    var readers = 2_000
    /// Counted seconds of a run.
    var seconds = 10.0

    private static let connections = 64
    private static let lone = 3.0
    private static let trial = 2.0
    /// A short stall of the machine must not decide.
    private static let leastRuns = 3
    /// As many pages as one reader gets who asks without pause. graphd serves several at once.
    private static let share = 1.0
    /// Random arrivals meet some others, but a growing queue soon exceeds this.
    private static let allowed = 8

    let keys: [RatioKey] = [.readTail]

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        let network = try await setting.real.network(setting)
        let people = try network.tokens(network.readers(readers)).map {
            MixedWorkload.Person(id: "", token: $0, followers: 0)
        }
        let server = network.server
        @Sendable func pages(
            _ pace: Pace, connections: Int = Self.connections, seconds: Double, seed: UInt64
        ) async throws -> LoadResult {
            let plan = LoadGenerator.Plan(
                port: server.port, connections: connections, pace: pace, seconds: seconds, seed: seed)
            let result = try await LoadGenerator.run(
                plan, MixedWorkload([.home: 1], people: people, tags: [], seed: seed))
            guard result.failed == 0 else {
                throw Program.Failure(description: "\(result.failed) pages failed: \(result.failures)")
            }
            return result
        }
        _ = try await pages(.closed, seconds: Self.lone, seed: 0)
        let rate = try await setting.rates.rate(.readTail) {
            let (rate, machine) = try await Disturbance.during(server) {
                let lone = try await pages(.closed, connections: 1, seconds: Self.lone, seed: 0).latency
                    .milliseconds(50)
                Progress.say("read_tail: a lone page takes \(lone.short) ms")
                return try await PreferredRate.find(
                    loneSeconds: lone / 1_000, share: Self.share, allowed: Self.allowed
                ) { try await pages(.open(perSecond: $0), seconds: Self.trial, seed: 0).backlog }
            }
            return (rate, machine.isQuiet)
        }
        var figure = PairedFigure(.readTail)
        var runs: [ScheduledRuns.Run] = []
        for number in 1...max(setting.runs, Self.leastRuns) {
            let idle = try await Disturbance.atRest(server)
            let (result, busy) = try await Disturbance.during(server) {
                try await pages(.open(perSecond: rate.perSecond), seconds: seconds, seed: UInt64(number))
            }
            let latency = result.latency
            figure.add(ours: latency.milliseconds(99), theirs: latency.milliseconds(50))
            runs.append(ScheduledRuns.Run(result, allowed: Self.allowed, idle: idle, busy: busy))
        }
        let scheduled = ScheduledRuns(
            key: RatioKey.readTail.rawValue, perSecond: rate.perSecond, unit: "pages", origin: rate.origin,
            arrivals: "a Poisson process", allowed: Self.allowed, runs: runs)
        let note = "\(rate.perSecond.short) pages/s, the generator on the same cores"
        return RatioFindings(
            comparisons: [figure.comparison(note: note, isValid: scheduled.isKeptUp)], scheduled: [scheduled],
            verification: try await server.verification())
    }
}
