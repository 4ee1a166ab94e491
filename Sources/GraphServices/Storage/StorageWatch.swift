import Database
import Logging
import ServiceLifecycle
import SocialGraph

/// Looks at the disk every second, logs changes, and finds out when a full disk can be written again. At the start it
/// checks the database for damaged pages, in parallel with requests.
package struct StorageWatch: Service {
    /// Period at which the disk is looked at.
    static let interval = Duration.seconds(1)
    /// Period at which the time is stored for the next start.
    static let clockMarkInterval = Duration.seconds(600)

    package let state: StorageState
    package let ballast: Ballast
    package let database: any OpenedDatabase
    package let graph: GraphStore
    let clock: SteadyClock
    package let logger: Logger
    /// File system calls, and the check, which takes as long as reading the file.
    private let work = BoundedWork(label: "graphd.storage", concurrent: 2, waiting: 8)

    package init(
        state: StorageState, ballast: Ballast, database: any OpenedDatabase, graph: GraphStore, clock: SteadyClock,
        logger: Logger
    ) {
        self.state = state
        self.ballast = ballast
        self.database = database
        self.graph = graph
        self.clock = clock
        self.logger = logger
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await cancelWhenGracefulShutdown { await self.watch() } }
            group.addTask { await cancelWhenGracefulShutdown { await self.check() } }
            group.addTask {
                await cancelWhenGracefulShutdown { await self.keepTime() }
                // The next start continues from here.
                try? await self.graph.clock.storeClockMark(self.clock.mark)
            }
        }
    }

    private func watch() async {
        while !Task.isCancelled {
            await step()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// One look at the disk, and at the mode.
    package func step() async {
        if (try? await state.readOnly.refresh(graph)) == true { reportMode() }
        if let before = try? await work.run(for: .server, { [state] in state.refresh() }) {
            report(before, state.level)
        }
        if state.health.isFull {
            // Only a write can tell whether there is room again.
            try? await graph.clock.storeClockMark(clock.mark)
            if !state.health.isFull { logger.notice("the database is writable again") }
        }
        if state.level == .ample, let free = state.freeBytes {
            try? await work.run(for: .server) { [ballast] in ballast.restore(free) }
        }
    }

    private func reportMode() {
        if let reason = state.readOnly.reason {
            logger.notice("the server is read-only now", metadata: [LogKeys.reason: "\(reason)"])
        } else {
            logger.notice("the server accepts changes again")
        }
    }

    private func report(_ before: StorageState.Level, _ now: StorageState.Level) {
        let metadata: Logger.Metadata = [
            LogKeys.freeBytes: "\(state.freeBytes ?? -1)", LogKeys.reserve: "\(state.reserve)",
        ]
        switch now {
        case .ample: logger.notice("the disk has space again; all writes are accepted", metadata: metadata)
        case .low:
            logger.warning("the disk is filling up; uploads are refused until space is freed", metadata: metadata)
        case .critical:
            logger.error("the disk is nearly full; writes are refused until space is freed", metadata: metadata)
        }
    }

    /// Checks the database once, if it is a file.
    package func check() async {
        guard let check = database.corruptionCheck() else { return }
        do {
            let found = try await withTaskCancellationHandler {
                try await work.run(for: .server) { try check.run() }
            } onCancel: {
                check.giveUp()
            }
            guard let found else { return }
            logger.critical(
                """
                the database is damaged: stop the server and restore graph.db from a backup, or recover what can be \
                read ("Damaged database" in docs/operations/disk-and-clock.md)
                """, metadata: [LogKeys.error: "\(found)"])
        } catch {
            logger.warning("the database could not be checked", metadata: [LogKeys.error: "\(error)"])
        }
    }

    private func keepTime() async {
        var (noted, ticks) = (0, 0)
        let every = Int(Self.clockMarkInterval / Self.interval)
        while !Task.isCancelled {
            let events = clock.takeEvents()
            events.forEach(report)
            if !events.isEmpty || ticks - noted >= every {
                noted = ticks
                try? await graph.clock.storeClockMark(clock.mark)
            }
            ticks += 1
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func report(_ event: SteadyClock.Event) {
        switch event {
        case .jumped(let difference):
            logger.warning(
                """
                the clock has jumped, or the machine was off for a long time; suspensions, sessions and everything \
                else that expires follow the former time until the new one has lasted a day; if it is right, \
                restart with --accept-clock
                """, metadata: [LogKeys.seconds: "\(difference / 1_000)"])
        case .returned: logger.notice("the clock has returned to the time before its jump")
        case .accepted(let difference):
            logger.notice("the new time is accepted", metadata: [LogKeys.seconds: "\(difference / 1_000)"])
        }
    }
}
