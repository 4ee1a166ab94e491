import Database
import DequeModule
import Logging
import SocialGraph
import TracingSpans

/// Works off the outbox: posts in batches, everything else a number of steps at a time, with each author queue in turn.
/// A job leaves the outbox after Redis has answered all of it. A failed job is retried after a pause. An interrupted
/// job is found under the next lease epoch.
struct OutboxWorker: Sendable {
    /// Maximum number of turns in one batch of pushes.
    static let turnsPerBatch = 1_024
    /// Maximum number of concurrent batches of pushes in Redis.
    static let concurrentBatches = 2
    /// Maximum number of concurrent steps of jobs other than pushes.
    static let concurrentJobs = 8
    /// Jobs read from the outbox at once.
    static let outboxBatch = 1_024
    /// Jobs in memory at which reading ahead pauses.
    static let jobsInQueues = 100_000
    /// The pause between two looks for jobs that nobody has told of.
    static let poll = Duration.seconds(1)

    let graph: any FanoutGraph
    let runner: JobRunner
    let pushes: PushRunner
    let acknowledger: OutboxAcknowledger
    let finales: JobFinales
    /// The share of the windows. No work starts while its leases are not held.
    let share: FanoutShare
    let announced: AnnouncedJobs
    let logger: Logger
    let tracer = SpanTracer.ambient

    private enum Event: Sendable {
        /// A step of `turn` is done. `rest` is nil if its job is done, too.
        case stepped(rest: AuthorQueues.Turn?, of: AuthorQueues.Turn)
        /// A composed batch; nil if the graph could not be read and the turns are unchanged.
        case composed(PushRunner.Batch?, of: [AuthorQueues.Turn])
        case delivered(Int)
        /// Jobs above the cursor, nil if they could not be read, and the latest announced job when the read began.
        case read([OutboxJob]?, latest: JobID?)
        case announced
        case polled
    }

    /// The work in progress.
    private struct State {
        var steps = AuthorQueues()
        var posts = AuthorQueues()
        var received = ReceivedJobs()
        /// True if the outbox may hold jobs that were not received.
        var isBehind = true
        var isReading = false
        var isListening = false
        var isPausing = false
        var running = 0
        var isComposing = false
        /// Batches in delivery, in the order of their composition, and the number of the first. Their progress is
        /// recorded in that order, so that it never runs ahead of a delivery.
        var batches: Deque<(batch: PushRunner.Batch, isDelivered: Bool)> = []
        var firstBatch = 0

        var count: Int { steps.count + posts.count }
        var mayCompose: Bool { !isComposing && batches.count < OutboxWorker.concurrentBatches }

        mutating func add(_ job: OutboxJob) {
            if case .push = job.work { posts.add(job) } else { steps.add(job) }
        }

        /// Takes the turns for one batch.
        mutating func turns() -> [AuthorQueues.Turn] {
            var turns: [AuthorQueues.Turn] = []
            while turns.count < OutboxWorker.turnsPerBatch,
                let turn = posts.next(joining: PushBatch.postsPerCall)
            {
                turns.append(turn)
            }
            return turns
        }

        mutating func delivered(_ number: Int) -> [PushRunner.Batch] {
            batches[number - firstBatch].isDelivered = true
            var finished: [PushRunner.Batch] = []
            while let first = batches.first, first.isDelivered {
                finished.append(first.batch)
                batches.removeFirst()
                firstBatch += 1
            }
            return finished
        }
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        await withTaskGroup(of: Event.self) { group in
            var state = State()
            while !Task.isCancelled {
                start(&state, &group)
                if let event = await group.next() { take(event, &state, &group) }
            }
            group.cancelAll()
            // A batch composed meanwhile is not delivered.
            for await case .composed(let batch?, _) in group { pushes.release(batch) }
        }
    }

    private func start(_ state: inout State, _ group: inout TaskGroup<Event>) {
        if !state.isListening {
            group.addTask {
                await announced.wait()
                return .announced
            }
            state.isListening = true
        }
        if !state.isPausing {
            group.addTask {
                try? await Task.sleep(for: Self.poll)
                return .polled
            }
            state.isPausing = true
        }
        guard share.isHeld else { return }
        if state.isBehind, !state.isReading, state.count < Self.jobsInQueues {
            let (cursor, latest) = (state.received.cursor, state.received.latest)
            group.addTask { .read(await nextJobs(above: cursor), latest: latest) }
            state.isReading = true
            // A job that is committed from here on requires another read: this one may have missed it.
            state.isBehind = false
        }
        while state.running < Self.concurrentJobs, let turn = state.steps.next() {
            group.addTask { .stepped(rest: await step(turn), of: turn) }
            state.running += 1
        }
        if state.mayCompose {
            let turns = state.turns()
            if turns.isEmpty { return }
            group.addTask { .composed(await compose(turns), of: turns) }
            state.isComposing = true
        }
    }

    private func take(_ event: Event, _ state: inout State, _ group: inout TaskGroup<Event>) {
        switch event {
        case .stepped(let rest, let turn):
            state.running -= 1
            if let rest { state.steps.resume(rest) } else { state.steps.finish(turn) }
        case .composed(nil, let turns):
            state.isComposing = false
            state.posts.giveBack(turns)
        case .composed(let batch?, _):
            state.isComposing = false
            state.posts.giveBack(batch.unused)
            for turn in batch.rest { state.posts.resume(turn) }
            let number = state.firstBatch + state.batches.count
            state.batches.append((batch, false))
            group.addTask {
                await deliver(batch)
                return .delivered(number)
            }
        case .delivered(let number):
            // The delivery was interrupted: its outcome is unknown.
            if Task.isCancelled { return }
            for batch in state.delivered(number) { note(batch) }
        case .read(let jobs, let latest):
            state.isReading = false
            guard let jobs else { return }
            let isLast = jobs.count < Self.outboxBatch
            let new = state.received.receive(read: jobs, isLast: isLast, latest: latest)
            for job in new where isOpen(job) { state.add(job) }
            if !isLast { state.isBehind = true }
        case .announced:
            state.isListening = false
            takeAnnounced(&state)
        case .polled:
            state.isPausing = false
            state.isBehind = true
        }
    }

    private func takeAnnounced(_ state: inout State) {
        let (jobs, isWhole) = announced.take()
        if !isWhole { state.isBehind = true }
        for job in jobs {
            guard state.count < Self.jobsInQueues else { return state.isBehind = true }
            if state.received.receive(announced: job.id) { state.add(job) }
        }
    }

    private func nextJobs(above cursor: JobID?) async -> [OutboxJob]? {
        do {
            return try await graph.outboxJobs(above: cursor, limit: Self.outboxBatch)
        } catch is CancellationError {
            return nil
        } catch {
            logger.error("outbox cannot be read", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Records the progress of a delivered batch's jobs.
    private func note(_ batch: PushRunner.Batch) {
        for (job, next) in batch.progress {
            runner.hasCome(job, to: next)
            if next == nil { finish(job) }
        }
    }

    /// Returns whether something is to be done in windows of the share.
    private func isOpen(_ job: OutboxJob) -> Bool {
        guard !share.isWhole, job.doneGroups.isSuperset(of: share.ofJobs.groups) else { return true }
        finales.expect(job)
        return false
    }

    private func finish(_ job: OutboxJob) {
        acknowledger.finished(job.id)
        finales.expect(job)
        tracer?.jobs.remove(job.id.rawValue)
    }

    private func compose(_ turns: [AuthorQueues.Turn]) async -> PushRunner.Batch? {
        do {
            return try await pushes.compose(turns)
        } catch {
            if error is CancellationError { return nil }
            logger.error("followers cannot be read; will retry", metadata: ["error": "\(error)"])
            try? await Task.sleep(for: .milliseconds(50))
            return nil
        }
    }

    /// Delivers a batch, with retries. Returns before the end only if the task is cancelled.
    private func deliver(_ batch: PushRunner.Batch) async {
        await inSpans(of: batch.progress.map(\.job)) {
            await repeatedly("posts could not be delivered; will retry") { try await pushes.deliver(batch) }
        }
        pushes.release(batch)
    }

    private func step(_ turn: AuthorQueues.Turn) async -> AuthorQueues.Turn? {
        var rest: AuthorQueues.Turn?
        await inSpans(of: turn.jobs) { rest = await repeatedStep(turn) }
        return rest
    }

    private func repeatedStep(_ turn: AuthorQueues.Turn) async -> AuthorQueues.Turn? {
        var rest: AuthorQueues.Turn?
        await repeatedly("job \(turn.job.id.rawValue) failed; will retry") {
            let next = try await runner.step(turn.job, at: turn.cursor, isFirst: turn.isFirst)
            if let next {
                rest = AuthorQueues.Turn(jobs: turn.jobs, cursor: next, isFirst: false)
            } else {
                for job in turn.jobs { finish(job) }
            }
        }
        return rest
    }

    /// Repeats `body` with growing pauses until it does not throw or the task is cancelled.
    private func repeatedly(_ complaint: String, _ body: () async throws -> Void) async {
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled {
            do {
                return try await body()
            } catch is CancellationError {
                return
            } catch {
                logger.error("\(complaint)", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
