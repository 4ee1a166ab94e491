extension WindowStateMachine {
    /// A job or a build under way, as the steps it has yet to take.
    struct Activity {
        enum Kind: Equatable {
            case job(Job)
            case build(Int)
        }

        enum Phase {
            case lock
            case elapse(Int)
            /// The step that reads the graph and decides what is next.
            case read
            /// Sends the first of `operations`, or goes on to the next phase if there is none.
            case send
            case sweep(contents: PostSet)
            case snapshot
        }

        let id: Int
        let kind: Kind
        var phase: Phase
        var operations: [ModelRedis.Command.Operation] = []
        var viewers: [Int] = []
        var ticket: Int?
        var cursor: ModelGraph.Cursor? = ModelGraph.Cursor()
        var build: Int?
        /// Sent and not yet answered.
        var command: ModelRedis.Command?
        /// The generation that the operation in hand is meant for.
        var boundTo: Int?
        /// An unmerge that has waited for its grace period.
        var hasElapsed = false
    }

    mutating func start(_ job: Job) {
        let phase: Activity.Phase =
            switch job.work {
            case .push: .read
            case .unpush, .drop: .elapse(nextTicket)
            case .edge: .lock
            }
        activities.append(Activity(id: nextActivity, kind: .job(job), phase: phase))
        nextActivity += 1
    }

    mutating func startBuild(_ viewer: Int) {
        activities.append(Activity(id: nextActivity, kind: .build(viewer), phase: .lock))
        nextActivity += 1
    }

    /// One atomic step of the activity at `index`. False if it has to wait.
    mutating func step(_ index: Int) -> Bool {
        var activity = activities[index]
        if let command = activity.command {
            activity.command = nil
            receive(redis.execute(command, mechanisms), &activity)
            finishStep(activity, at: index)
            return true
        }
        switch activity.phase {
        case .lock:
            guard lock(&activity) else { return false }
        case .elapse(let until):
            guard !has(.gracePeriod) || openTickets.allSatisfy({ $0 >= until }) else { return false }
            activity.phase = .read
        case .read: read(&activity)
        case .send:
            guard send(&activity) else { return false }
        case .sweep(let contents): sweep(contents, &activity)
        case .snapshot:
            guard case .build(let viewer) = activity.kind else { return false }
            let snapshot = graph.home(of: viewer).newest(Self.cap)
            activity.operations = [.flip(snapshot, complete: snapshot.count < Self.cap)]
            activity.phase = .send
        }
        finishStep(activity, at: index)
        return true
    }

    private mutating func finishStep(_ activity: Activity, at index: Int) {
        if isOver(activity) {
            end(activity, at: index)
        } else {
            activities[index] = activity
        }
    }

    private func isOver(_ activity: Activity) -> Bool {
        if case .send = activity.phase { return activity.operations.isEmpty && activity.cursor == nil }
        return false
    }

    private mutating func end(_ activity: Activity, at index: Int) {
        activities.remove(at: index)
        leave(activity.ticket)
        locks = locks.filter { $0.value != activity.id }
        if let build = activity.build { builds.removeAll { $0.number == build } }
        if case .job(let job) = activity.kind {
            outbox.removeAll { $0.id == job.id }
            unsettled[job.id] = nil
        }
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

    private mutating func lock(_ activity: inout Activity) -> Bool {
        let viewer: Int
        switch activity.kind {
        case .build(let builder): viewer = builder
        case .job(let job):
            guard case .edge(let follower, _) = job.work else { return false }
            viewer = follower
        }
        if has(.viewerLocks) {
            guard locks[viewer] == nil else { return false }
            locks[viewer] = activity.id
        }
        activity.viewers = [viewer]
        activity.cursor = nil
        activity.phase = .read
        guard case .build = activity.kind else { return true }
        activity.ticket = enter()
        activity.build = activity.id
        builds.append((viewer, activity.id))
        activity.operations = [.begin]
        activity.phase = .send
        return true
    }

    /// The snapshot that a job works from.
    private mutating func read(_ activity: inout Activity) {
        guard case .job(let job) = activity.kind else { return }
        activity.phase = .send
        switch job.work {
        case .push(let post), .unpush(let post):
            let isPush = job.work == .push(post)
            guard !isPush || graph.live.contains(post) else {
                activity.cursor = nil
                return
            }
            activity.ticket = enter()
            (activity.viewers, activity.cursor) = graph.audience(of: post, past: activity.cursor ?? ModelGraph.Cursor())
            activity.operations = [isPush ? .push(PostSet(post)) : .remove(PostSet(post))]
        case .edge(let follower, let followee):
            activity.ticket = enter()
            if activity.hasElapsed {
                activity.operations = [.contents]
            } else if graph.follows(follower, followee) {
                let posts = graph.authored[followee].newest(Self.cap)
                activity.operations = posts.newestFirst.map { .push(PostSet($0)) }
                if posts.count == Self.cap, has(.mergeFloor) { activity.operations.append(.raise(posts.last)) }
                if has(.sweepAtMerge) { activity.operations.append(.contents) }
            } else {
                leave(activity.ticket)
                activity.ticket = nil
                activity.hasElapsed = true
                activity.phase = .elapse(nextTicket)
            }
        case .drop(let viewers):
            activity.cursor = nil
            activity.viewers = viewers.sorted()
            activity.operations = [.drop]
        }
    }

    private mutating func sweep(_ contents: PostSet, _ activity: inout Activity) {
        activity.phase = .send
        let unreachable = contents.posts.subtracting(graph.home(of: activity.viewers[0]))
        activity.operations = unreachable.isEmpty ? [] : [.remove(unreachable)]
    }

    /// Composes the operation in hand. False while there is no connection.
    private mutating func send(_ activity: inout Activity) -> Bool {
        guard let operation = activity.operations.first else {
            // The next chunk, under a ticket of its own. The author's own window was in the first.
            if case .job(let job) = activity.kind, case .push = job.work { unsettled[job.id] = nil }
            leave(activity.ticket)
            activity.ticket = nil
            activity.phase = .read
            return true
        }
        guard let epoch else { return false }
        if let boundTo = activity.boundTo, boundTo != epoch.generation {
            // Meant for a generation that is over.
            activity.boundTo = nil
            finishOperation(.count(0), &activity)
            return true
        }
        activity.boundTo = epoch.generation
        activity.command = compose(operation, activity, epoch)
        return true
    }

    private func compose(
        _ operation: ModelRedis.Command.Operation, _ activity: Activity, _ epoch: Epoch
    ) -> ModelRedis.Command {
        let ready = activity.viewers.map { ModelRedis.WindowKey(generation: epoch.generation, viewer: $0) }
        var windows = ready
        switch operation {
        case .begin, .flip:
            windows = ready.map {
                ModelRedis.WindowKey(generation: epoch.generation, viewer: $0.viewer, build: activity.build ?? 0)
            }
            if operation != .begin { windows += ready }
        case .contents: break
        default:
            for build in builds where activity.viewers.contains(build.viewer) && has(.buildRegistry) {
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
            activity.boundTo = nil
            finishOperation(reply, &activity)
        }
    }

    private mutating func finishOperation(_ reply: ModelRedis.Reply, _ activity: inout Activity) {
        let operation = activity.operations.removeFirst()
        switch (operation, reply) {
        case (.contents, .contents(let window)): activity.phase = .sweep(contents: window)
        case (.begin, .count(1)): activity.phase = .snapshot
        // Without a window there is nothing to merge into.
        case (.push, .count(0)) where activity.cursor == nil && !activity.operations.isEmpty: activity.operations = []
        default: break
        }
    }
}
