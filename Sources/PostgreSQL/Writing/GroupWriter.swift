import Database
import Dispatch
import Foundation
import Synchronization

/// The one writer of a node: a thread with a connection, which commits group after group.
final class GroupWriter: Sendable {
    typealias Request = WriteRequest<ServerTransaction>

    let source: ConnectionSource
    let health: StorageHealth
    private let queue = GroupCommitQueue<Request>(capacity: PostgreSQLDatabase.commitQueueLength)
    /// Requests that have a transaction of their own.
    private let bulk = Mutex<[Request]>([])
    private let arrivals = DispatchSemaphore(value: 0)
    private let isClosed = Atomic(false)
    private let hasStarted = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let isExaminationDue = Atomic(false)

    init(_ source: ConnectionSource, health: StorageHealth) {
        self.source = source
        self.health = health
    }

    /// Requests that have come since the present group was taken, as many as still fit into it.
    func lateComers(to group: [Request]) -> [Request] {
        queue.lateComers(limit: PostgreSQLDatabase.commitGroupSize - group.count)
    }

    var waitingCount: Int { queue.waitingCount }
    var hasClosed: Bool { isClosed.load(ordering: .acquiring) }

    func submit(_ request: Request) {
        if hasClosed { return request.refuse(DatabaseError.closed) }
        switch queue.submit(request) {
        case .full: request.refuse(DatabaseError.busy)
        case .queued: break
        case .startDrain: arrivals.signal()
        }
        refuseLateComers()
    }

    func submitBulk(_ request: Request) {
        if hasClosed { return request.refuse(DatabaseError.closed) }
        bulk.withLock { $0.append(request) }
        arrivals.signal()
        refuseLateComers()
    }

    /// Lets the writer find out whether its server commits, unless there are requests, which find out as well.
    func examineServer() {
        if !isExaminationDue.exchange(true, ordering: .acquiringAndReleasing) { arrivals.signal() }
    }

    /// Starts the thread.
    func start(_ committer: @escaping @Sendable () -> GroupCommitter) {
        hasStarted.store(true, ordering: .releasing)
        DriverThread.start("graphd.writer") { [self] in
            let committer = committer()
            while !hasClosed {
                arrivals.wait()
                drain(into: committer)
            }
            refuseLateComers()
            ended.signal()
        }
    }

    /// Commits the group that is under way, refuses the requests that wait, and ends the thread. Blocks.
    func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        guard hasStarted.load(ordering: .acquiring) else { return }
        arrivals.signal()
        ended.wait()
    }

    private func drain(into committer: GroupCommitter) {
        // The start of an examination in vain, during which the next group has waited.
        var wait: ContinuousClock.Instant?
        while !hasClosed {
            let alone = bulk.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            var group = alone.map { [$0] } ?? queue.nextGroup(limit: PostgreSQLDatabase.commitGroupSize)
            let isDue = isExaminationDue.exchange(false, ordering: .acquiringAndReleasing)
            if group.isEmpty {
                guard isDue else { return }
                let start = ContinuousClock.now
                wait = committer.examine() ? nil : start
                continue
            }
            let start = wait ?? .now
            wait = nil
            do {
                for answer in try committer.commit(&group, isBulk: alone != nil, since: start) { answer() }
            } catch {
                // They have waited, too. If each group had its own time to wait, the last would wait for minutes. Who
                // comes once somebody has been refused waits anew.
                if error.isServerAway { group += queue.nextGroup(limit: .max) }
                for request in group { request.refuse(error.reason) }
            }
        }
    }

    /// Refuses requests that came while the writer closed.
    private func refuseLateComers() {
        guard hasClosed else { return }
        for request in bulk.withLock({ requests in
            defer { requests = [] }
            return requests
        }) { request.refuse(DatabaseError.closed) }
        // An empty group ends the drain.
        while case let group = queue.nextGroup(limit: .max), !group.isEmpty {
            for request in group { request.refuse(DatabaseError.closed) }
        }
    }
}
