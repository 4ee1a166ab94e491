extension WindowStateMachine {
    /// A job, a build or a fold in progress, as its remaining steps.
    struct Activity {
        enum Kind: Equatable {
            case job(Job)
            case build(Int)
            case fold(Int)
        }

        enum Phase {
            case elapse(Int)
            /// Reads the graph and decides the next step.
            case read
            /// Sends the first of `operations`, or continues if there is none.
            case send
            /// Looks up the new place of a post in the windows that it was removed from.
            case look(ModelEntry, [Int])
            /// Builds a window: the lock, then the snapshot.
            case lock
            case snapshot
        }

        let id: Int
        let kind: Kind
        var phase: Phase
        var operations: [(operation: ModelRedis.Command.Operation, viewers: [Int])] = []
        var ticket: Int?
        /// The start of the next chunk; nil if there is none.
        var cursor: ModelGraph.Cursor? = ModelGraph.Cursor()
        /// Windows to be built, the current one first, and the number of its build.
        var building: [Int] = []
        var build: Int?
        /// Places that were looked up too early, if the mechanism is switched off.
        var early: [Int: Int] = [:]
        /// The command that was sent and not yet answered.
        var command: ModelRedis.Command?
        /// The generation that the current operation is meant for.
        var boundTo: Int?
    }

    mutating func start(_ job: Job) {
        let phase: Activity.Phase =
            switch job.work {
            case .push, .addReason, .evictAll: .read
            case .remove, .removeReason, .evict, .rebuild, .backfill: .elapse(nextTicket)
            }
        activities.append(Activity(id: nextActivity, kind: .job(job), phase: phase))
        nextActivity += 1
    }

    mutating func startBuild(_ viewer: Int) {
        activities.append(
            Activity(id: nextActivity, kind: .build(viewer), phase: .lock, cursor: nil, building: [viewer]))
        nextActivity += 1
    }

    /// Starts a queued fold. It holds no ticket, so nothing waits for it.
    mutating func startFold() {
        guard !waitingFolds.isEmpty else { return }
        let viewer = waitingFolds.remove(at: roll(waitingFolds.count))
        activities.append(
            Activity(
                id: nextActivity, kind: .fold(viewer), phase: .send, operations: [(.look, [viewer])], cursor: nil))
        nextActivity += 1
    }

    /// Runs one atomic step of the activity at `index`. Returns false if it has to wait.
    mutating func step(_ index: Int) -> Bool {
        var activity = activities[index]
        if let command = activity.command {
            activity.command = nil
            receive(redis.execute(command, mechanisms), &activity)
            finishStep(activity, at: index)
            return true
        }
        switch activity.phase {
        case .elapse(let until):
            guard !waits(activity) || openTickets.allSatisfy({ $0 >= until }) else { return false }
            activity.phase = .read
        case .read: read(&activity)
        case .send:
            guard send(&activity) else { return false }
        case .look(let entry, let viewers): look(entry, viewers, &activity)
        case .lock:
            guard lock(&activity) else { return false }
        case .snapshot:
            let places = graph.window(of: activity.building[0]).newest(Self.cap)
            let flip = ModelRedis.Command.Operation.flip(
                places.newestFirst.map(graph.entry), isComplete: places.count < Self.cap)
            activity.operations = [(flip, [activity.building[0]])]
            activity.phase = .send
        }
        finishStep(activity, at: index)
        return true
    }

    private func waits(_ activity: Activity) -> Bool {
        guard case .job(let job) = activity.kind else { return false }
        return switch job.work {
        case .remove: has(.graceAtRemoval)
        case .removeReason: has(.graceAtReasonRemoval)
        case .rebuild: has(.graceAtRebuild)
        case .push, .addReason, .backfill, .evict, .evictAll: true
        }
    }

    private mutating func finishStep(_ activity: Activity, at index: Int) {
        if case .send = activity.phase, activity.operations.isEmpty, activity.building.isEmpty, activity.cursor == nil {
            end(activity, at: index)
        } else {
            activities[index] = activity
        }
    }

    private mutating func end(_ activity: Activity, at index: Int) {
        activities.remove(at: index)
        leave(activity.ticket)
        guard case .job(let job) = activity.kind else { return }
        switch job.work {
        case .remove(let post): graph.purgeReshares(of: post)
        case .backfill(let user, let since):
            graph.finishBackfill(user, since: has(.backfillSince) ? since : nil)
            met.backfills += 1
        default: break
        }
        pendingWrites[job.id] = nil
        done.insert(job.id)
    }
}

// MARK: Steps

extension WindowStateMachine {
    private mutating func enter() -> Int {
        defer { nextTicket += 1 }
        openTickets.insert(nextTicket)
        return nextTicket
    }

    private mutating func leave(_ ticket: Int?) {
        if let ticket { openTickets.remove(ticket) }
    }

    /// Reads the snapshot for a chunk of a job.
    private mutating func read(_ activity: inout Activity) {
        guard case .job(let job) = activity.kind else { return }
        activity.phase = .send
        switch job.work {
        case .push(let post): bring(ModelEntry(place: post, post: post), .authors(of: post), &activity)
        case .addReason(let entry, let user): bring(entry, .reasonAdded(user, entry), &activity)
        case .remove(let post):
            let members = nextChunk(.actors(of: post), &activity)
            activity.operations = [(.remove(post: post), members)]
        case .removeReason(let entry, let user):
            let members = nextChunk(.reasonRemoved(user, entry), &activity)
            for viewer in members { activity.early[viewer] = graph.windowPlace(of: entry.post, for: viewer) }
            activity.operations = [(.retract(entry), members)]
        case .rebuild(let viewer):
            activity.cursor = nil
            activity.building = [viewer]
            activity.phase = .lock
        case .backfill(let user, _):
            let members = nextChunk(.backfilled(user), &activity)
            leave(activity.ticket)
            activity.ticket = nil
            guard !members.isEmpty, has(.backfillRebuild) else { return }
            activity.building = members
            activity.phase = .lock
        case .evict(let viewer):
            activity.cursor = nil
            activity.operations = [(.evict, [viewer])]
        case .evictAll:
            activity.cursor = nil
            activity.operations = [(.end, [])]
        }
    }

    private mutating func bring(_ entry: ModelEntry, _ scope: ModelGraph.Scope, _ activity: inout Activity) {
        guard graph.stands(scope) || !has(.liveness) else {
            activity.cursor = nil
            return
        }
        let members = nextChunk(scope, &activity)
        activity.operations = [(.push(entry), members)]
    }

    private mutating func nextChunk(_ scope: ModelGraph.Scope, _ activity: inout Activity) -> [Int] {
        activity.ticket = enter()
        let (members, next) = graph.audience(of: scope, past: activity.cursor ?? ModelGraph.Cursor())
        activity.cursor = next
        return members
    }

    private mutating func look(_ entry: ModelEntry, _ viewers: [Int], _ activity: inout Activity) {
        for viewer in viewers {
            let place =
                has(.lookAfterTakingOut)
                ? graph.windowPlace(of: entry.post, for: viewer) : activity.early[viewer]
            guard has(.nextPlace), let place else { continue }
            activity.operations.append((.push(ModelEntry(place: place, post: entry.post)), [viewer]))
        }
        activity.phase = .send
    }

    private mutating func lock(_ activity: inout Activity) -> Bool {
        let viewer = activity.building[0]
        guard locks[viewer] == nil else { return false }
        locks[viewer] = activity.id
        activity.ticket = enter()
        activity.build = nextBuild
        builds.append((viewer, nextBuild))
        nextBuild += 1
        var isReplacing = true
        if case .build = activity.kind { isReplacing = false }
        activity.operations = [(.begin(isReplacing: isReplacing), [viewer])]
        activity.phase = .send
        return true
    }

    /// Ends the build of the current window.
    private mutating func unlock(_ activity: inout Activity) {
        let viewer = activity.building[0]
        if locks[viewer] == activity.id { locks[viewer] = nil }
        builds.removeAll { $0.number == activity.build }
        activity.build = nil
        leave(activity.ticket)
        activity.ticket = nil
    }

    /// Composes and sends the current operation. Returns false if there is no connection.
    private mutating func send(_ activity: inout Activity) -> Bool {
        guard let (operation, viewers) = activity.operations.first else {
            // The next chunk gets a ticket of its own. The actor's own window was in the first chunk.
            if case .job(let job) = activity.kind { pendingWrites[job.id] = nil }
            leave(activity.ticket)
            activity.ticket = nil
            activity.phase = activity.building.isEmpty ? .read : .lock
            return true
        }
        guard let epoch else {
            guard isGivenUp else { return false }
            met.surrenders += 1
            activity.boundTo = nil
            finishOperation(.count(0), &activity)
            return true
        }
        if let boundTo = activity.boundTo, boundTo != epoch.generation {
            // The operation was meant for an earlier generation.
            activity.boundTo = nil
            finishOperation(.count(0), &activity)
            return true
        }
        activity.boundTo = epoch.generation
        activity.command = compose(operation, viewers, activity.build ?? 0, epoch)
        if case .push(let entry) = operation, !has(.copyFollowsRedis) { copies.push(entry, to: viewers, mechanisms) }
        return true
    }

    private func compose(
        _ operation: ModelRedis.Command.Operation, _ viewers: [Int], _ build: Int, _ epoch: Epoch
    ) -> ModelRedis.Command {
        let ready = viewers.map { ModelRedis.WindowKey(generation: epoch.generation, viewer: $0) }
        var windows = ready
        switch operation {
        case .begin, .flip:
            windows.insert(
                ModelRedis.WindowKey(generation: epoch.generation, viewer: viewers[0], build: build), at: 0)
        case .end, .look, .fold: break
        case .push, .remove, .retract, .evict:
            for build in builds where viewers.contains(build.viewer) && has(.buildRegistry) {
                windows.append(
                    ModelRedis.WindowKey(generation: epoch.generation, viewer: build.viewer, build: build.number))
            }
        }
        return ModelRedis.Command(
            operation: operation, windows: windows, generation: epoch.generation, fence: epoch.fence)
    }

    private mutating func receive(_ reply: ModelRedis.Reply, _ activity: inout Activity) {
        if reply == .fenced {
            reconnect()
        } else {
            let generation = activity.boundTo
            activity.boundTo = nil
            finishOperation(reply, &activity)
            // Stamps of another generation mean something else.
            if case .window = reply, has(.foldInItsGeneration) { activity.boundTo = generation }
        }
    }

    private mutating func finishOperation(_ reply: ModelRedis.Reply, _ activity: inout Activity) {
        let (operation, viewers) = activity.operations.removeFirst()
        updateCopies(operation, reply, viewers)
        switch (operation, reply) {
        case (.retract(let entry), .viewers(let viewers)): activity.phase = .look(entry, viewers)
        case (.end, .count(1)): reconnect()
        case (.push, .full(let viewers, let overdue)):
            let now = viewers.filter { !waits(foldOf: $0, isOverdue: overdue.contains($0)) }
            activity.operations.insert(contentsOf: now.map { (.look, [$0]) }, at: 0)
        case (.look, .window(let glimpse)): fold(glimpse, of: viewers, &activity)
        case (.begin, .count(1)): activity.phase = .snapshot
        case (.begin, _):
            unlock(&activity)
            activity.building.removeFirst()
        case (.flip, .count(let flipped)):
            unlock(&activity)
            var isRepeated = flipped == 0 && has(.lostBuilds)
            if case .build = activity.kind { isRepeated = false }
            if flipped == 0 { met.lostBuilds += 1 }
            if isRepeated {
                activity.phase = .lock
            } else {
                activity.building.removeFirst()
            }
        default: break
        }
    }

    private mutating func updateCopies(
        _ operation: ModelRedis.Command.Operation, _ reply: ModelRedis.Reply, _ viewers: [Int]
    ) {
        switch (operation, reply) {
        case (.push(let entry), .full): if has(.copyFollowsRedis) { copies.push(entry, to: viewers, mechanisms) }
        case (.begin, .count(1)): break
        case (.begin, _): if has(.missingWindowEndsCopy) { copies.forget(viewers, mechanisms) }
        case (.remove, _), (.retract, _), (.evict, _), (.flip, _): copies.forget(viewers, mechanisms)
        case (.push, _), (.look, _), (.fold, _), (.end, _): break
        }
    }

    /// Returns true if the fold need not be part of the push that asks for it.
    private mutating func waits(foldOf viewer: Int, isOverdue: Bool) -> Bool {
        if foldCapacity == 0 { return false }
        if isOverdue, has(.overdueFold) {
            met.foldsByPushes += 1
            return false
        }
        if waitingFolds.contains(viewer) || activities.contains(where: { $0.kind == .fold(viewer) }) { return true }
        guard waitingFolds.count < foldCapacity else {
            met.foldsByPushes += 1
            return false
        }
        met.queuedFolds += 1
        waitingFolds.append(viewer)
        return true
    }

    /// Folds a full tail into the sorted set beside it. A tail without one is nobody's window.
    private func fold(_ glimpse: ModelRedis.Glimpse, of viewers: [Int], _ activity: inout Activity) {
        guard let tail = glimpse.tail else { return }
        let operation: ModelRedis.Command.Operation =
            glimpse.sorted == nil
            ? .evict
            : .fold(glimpse.folded(cap: Self.cap, mechanisms), stamp: tail.stamp, consumed: tail.entries.count)
        activity.operations.insert((operation, viewers), at: 0)
    }
}
