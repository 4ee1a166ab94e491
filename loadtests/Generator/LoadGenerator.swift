import DequeModule
import Foundation
import Histogram
import NIOCore
import NIOPosix

/// Sends a workload at a pace over so many connections, from one thread.
///
/// It writes the bytes of its requests and reads no more of an answer than its status and length, without GraphdClient:
/// it shares the processors with the server, and what it takes itself is missing from the rate that it measures.
// Proof: after `init`, what changes is touched on `loop` alone.
final class LoadGenerator: @unchecked Sendable {
    /// The target, pace and duration.
    struct Plan: Sendable {
        var host = "127.0.0.1"
        let port: Int
        /// The local address to connect from; nil if the system chooses.
        var source: String?
        var connections = 64
        let pace: Pace
        /// Seconds that are not counted.
        var warmUp = 1.0
        let seconds: Double
        /// Longest wait for answers at the end.
        var drain = TimeAmount.seconds(30)
        var seed: UInt64 = 1
    }

    private static let pause = TimeAmount.milliseconds(20)

    private let plan: Plan
    private let loop: any EventLoop
    private let finished: EventLoopPromise<LoadResult>
    private var workload: any Workload
    private var arrivals: ArrivalTimes?
    private var idle: [LoadConnection] = []
    private var waiting: Deque<NIODeadline> = []
    /// Counted requests without an answer yet, by kind.
    private var underWay: [Int]
    private var begin = NIODeadline.now()
    private var isOver = false
    private var usageAtBegin = 0.0
    private var result: LoadResult

    private init(_ plan: Plan, _ workload: any Workload, _ loop: any EventLoop) {
        self.plan = plan
        self.loop = loop
        self.workload = workload
        arrivals = ArrivalTimes(plan.pace, seed: plan.seed)
        underWay = Array(repeating: 0, count: workload.kinds.count)
        finished = loop.makePromise()
        result = LoadResult(kinds: workload.kinds)
    }

    /// Runs a plan. Throws the error of the first connection if it cannot be made.
    static func run(_ plan: Plan, _ workload: any Workload) async throws -> LoadResult {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let generator = LoadGenerator(plan, workload, group.next())
        do {
            for _ in 0..<plan.connections { try await generator.connect().get() }
            generator.loop.execute { generator.start() }
            let result = try await generator.finished.futureResult.get()
            try await group.shutdownGracefully()
            return result
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private func connect() -> EventLoopFuture<Void> {
        let bootstrap = ClientBootstrap(group: loop)
        let bound: ClientBootstrap
        do {
            bound = try plan.source.map { bootstrap.bind(to: try SocketAddress(ipAddress: $0, port: 0)) } ?? bootstrap
        } catch {
            return loop.makeFailedFuture(error)
        }
        return
            bound
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = LoadConnection(
                        answered: { self.note($0, $1, $2) }, lost: { self.lose($0) })
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(AnswerDecoder()), connection)
                    self.idle.append(connection)
                }
            }
            .connect(host: plan.host, port: plan.port).map { _ in }
    }

    private func start() {
        begin = .now() + .nanoseconds(Int64(plan.warmUp * 1e9))
        usageAtBegin = Self.processorSeconds()
        loop.scheduleTask(deadline: begin) { self.usageAtBegin = Self.processorSeconds() }
        loop.scheduleTask(deadline: end) { self.stop() }
        if arrivals == nil {
            let connections = idle
            idle.removeAll()
            for connection in connections { ask(connection, due: .now()) }
        } else {
            scheduleNext(from: .now())
        }
    }

    private var isIdle: Bool { unanswered == 0 }

    /// Number of requests that are due and not answered.
    private var unanswered: Int { waiting.count + underWay.reduce(0, +) }

    private var end: NIODeadline { begin + .nanoseconds(Int64(plan.seconds * 1e9)) }

    private func scheduleNext(from start: NIODeadline) {
        guard let offset = arrivals?.next() else { return }
        let due = start + offset
        guard due < end else { return }
        loop.scheduleTask(deadline: due) {
            if due >= self.begin { self.result.backlog.add(self.unanswered) }
            self.waiting.append(due)
            self.dispatch()
            self.scheduleNext(from: start)
        }
    }

    private func dispatch() {
        while !waiting.isEmpty, let connection = idle.popLast() { ask(connection, due: waiting.removeFirst()) }
        result.longestQueue = max(result.longestQueue, waiting.count)
    }

    private func ask(_ connection: LoadConnection, due: NIODeadline) {
        guard let request = workload.next() else {
            isOver = true
            idle.append(connection)
            return
        }
        underWay[request.kind] += 1
        if let second = second(of: due) { result.seconds[second].sent += 1 }
        connection.send(request, due: due)
    }

    private func note(_ connection: LoadConnection, _ turn: LoadConnection.Turn, _ answer: AnswerDecoder.Answer?) {
        underWay[turn.kind] -= 1
        if let second = second(of: turn.due) {
            if let answer, (200..<300).contains(answer.status) {
                let taken = UInt64(max((NIODeadline.now() - turn.due).nanoseconds / 1_000, 1))
                result.kinds[turn.kind].latency.record(taken)
                result.kinds[turn.kind].smallest = min(result.kinds[turn.kind].smallest, answer.body)
                result.seconds[second].answered += 1
                result.seconds[second].slowest = max(result.seconds[second].slowest, taken)
            } else {
                result.kinds[turn.kind].failures += 1
                result.failures[answer?.status ?? 0, default: 0] += 1
                result.seconds[second].failures += 1
            }
        }
        if answer != nil { reuse(connection) }
        if isOver, isIdle { finish() }
    }

    private func reuse(_ connection: LoadConnection) {
        if arrivals == nil {
            if isOver { idle.append(connection) } else { ask(connection, due: .now()) }
        } else {
            idle.append(connection)
            dispatch()
        }
    }

    /// Replaces a lost connection until the end; while there is none, due requests wait.
    private func lose(_ connection: LoadConnection) {
        idle.removeAll { $0 === connection }
        reconnect()
    }

    private func reconnect() {
        guard !isOver else { return }
        loop.scheduleTask(in: Self.pause) {
            self.connect().whenComplete { outcome in
                switch outcome {
                case .failure: self.reconnect()
                case .success: if let made = self.idle.popLast() { self.reuse(made) }
                }
            }
        }
    }

    private func stop() {
        isOver = true
        result.elapsed = plan.seconds
        if isIdle { return finish() }
        loop.scheduleTask(in: plan.drain) { self.finish() }
    }

    private func finish() {
        guard !result.isFinal else { return }
        result.isFinal = true
        noteUnanswered()
        result.elapsed = Double((NIODeadline.now() - begin).nanoseconds) / 1e9
        result.generatorSeconds = Self.processorSeconds() - usageAtBegin
        for connection in idle { connection.close() }
        finished.succeed(result)
    }

    /// Counts requests that still wait for a connection like those that were sent.
    private func noteUnanswered() {
        for _ in 0..<waiting.count { if let request = workload.next() { underWay[request.kind] += 1 } }
        for kind in underWay.indices { result.kinds[kind].unanswered = underWay[kind] }
        result.unanswered = underWay.reduce(0, +)
    }

    /// Returns the second of the run; nil within the warm-up.
    private func second(of due: NIODeadline) -> Int? {
        let nanoseconds = (due - begin).nanoseconds
        guard nanoseconds >= 0 else { return nil }
        let second = Int(nanoseconds / 1_000_000_000)
        while result.seconds.count <= second { result.seconds.append(.init()) }
        return second
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
