import Database
import DequeModule
import Dispatch
import Synchronization

/// Threads with a connection each, which take reads in the order of arrival.
final class ReaderPool: Sendable {
    /// Reads that may wait for a reader.
    static let queueLength = 16_384

    private struct State {
        var jobs: Deque<Job> = []
        var isClosed = false
    }

    /// A read of a caller. Every job is either run or refused.
    struct Job: Sendable {
        let arrival = ContinuousClock.now
        let run: @Sendable (ReaderSession) -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let source: ConnectionSource
    private let count: Int
    private let standbyReads: StandbyReads?
    private let hasStarted = Atomic(false)

    /// - Parameters:
    ///   - count: number of connections.
    ///   - standbyReads: when a standby may be read; nil: never.
    init(_ source: ConnectionSource, count: Int, standbyReads: StandbyReads? = nil) {
        self.standbyReads = standbyReads
        self.source = source
        self.count = count
    }

    func submit(_ job: Job) {
        start()
        let refusal: DatabaseError? = state.withLock { state in
            if state.isClosed { return .closed }
            if state.jobs.count >= Self.queueLength { return .busy }
            state.jobs.append(job)
            return nil
        }
        if let refusal { job.refuse(refusal) } else { arrivals.signal() }
    }

    func close() {
        let jobs = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.refuse(DatabaseError.closed) }
        for _ in 0..<count { arrivals.signal() }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func start() {
        guard !hasStarted.exchange(true, ordering: .relaxed) else { return }
        for _ in 0..<count { DriverThread.start("graphd.reader") { [self] in serve() } }
    }

    private func serve() {
        let session = ReaderSession(source, standbyReads, isClosed: { [self] in isClosed })
        while true {
            arrivals.wait()
            guard let job = state.withLock({ $0.jobs.popFirst() }) else {
                if isClosed { return }
                continue
            }
            do { try session.begin(for: job.arrival) } catch {
                job.refuse(error)
                continue
            }
            job.run(session)
        }
    }
}

extension ReaderPool {
    /// - Parameter onSnapshot: all queries of `body` see the same moment; otherwise each sees its own.
    func read<T: Sendable>(
        onSnapshot: Bool = true, _ body: @escaping @Sendable (any SQLReader) throws -> T
    ) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit(
                    Job(
                        run: { session in
                            let reader = SnapshotReader(session, onSnapshot: onSnapshot) { cancellation.isCancelled }
                            let result = Result { try body(reader) }
                            reader.end()
                            continuation.resume(with: result)
                        },
                        refuse: { continuation.resume(throwing: $0) }))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Connects all readers. Blocks.
    ///
    /// - Throws: the error of one that cannot connect.
    func openAll() throws {
        let failure = Mutex<(any Error)?>(nil)
        let (arrived, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            submit(
                Job(
                    run: { session in
                        do { try session.open() } catch { failure.withLock { $0 = error } }
                        arrived.signal()
                        // Each job holds its thread until all are connected.
                        gate.wait()
                    },
                    refuse: { error in
                        failure.withLock { $0 = error }
                        arrived.signal()
                    }))
        }
        for _ in 0..<count { arrived.wait() }
        for _ in 0..<count { gate.signal() }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// Tells whether the task of a read has been cancelled.
private final class Cancellation: Sendable {
    private let state = Atomic(false)

    var isCancelled: Bool { state.load(ordering: .relaxed) }

    func cancel() { state.store(true, ordering: .relaxed) }
}

extension DatabaseError {
    static let closed = DatabaseError.storage(detail: "the database is closed")
}
