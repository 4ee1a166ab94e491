import Foundation
import Histogram

/// Noise of the machine during a run: the floor below which its latencies say nothing about graphd.
struct Disturbance: Codable, Sendable {
    /// Milliseconds by which a timer that does nothing else was late, for 99 of 100 wake-ups.
    let timerP99: Double
    let timerMost: Double
    /// Processors that other programs used on average.
    let others: Double
    /// Processors that the host gave to other machines while they were wanted here.
    let stolen: Double

    /// True if other programs hardly shared the processors.
    var isQuiet: Bool { others + stolen <= Self.quiet }

    private static let quiet = 0.25

    /// Runs `body` and observes the machine meanwhile.
    ///
    /// - Parameter server: the server under load. Others are all programs except it, its Redis and this one.
    static func during<T>(
        _ server: Server, _ body: () async throws -> T
    ) async throws -> (value: T, disturbance: Disturbance) {
        func ours() throws -> Double {
            try server.processorSeconds() + ProcessUsage(of: ProcessInfo.processInfo.processIdentifier).cpuSeconds
        }
        let (start, timesBefore, oursBefore) = (ContinuousClock.now, try ProcessorTimes(), try ours())
        let watch = TimerWatch()
        let result: T
        do {
            result = try await body()
        } catch {
            _ = watch.end()
            throw error
        }
        let late = watch.end()
        let seconds = start.duration(to: .now) / .seconds(1)
        let disturbance = Disturbance(
            late: late, before: timesBefore, after: try ProcessorTimes(), ours: try ours() - oursBefore,
            seconds: seconds)
        return (result, disturbance)
    }

    /// Observes the machine while `server` has nothing to do.
    static func atRest(_ server: Server) async throws -> Disturbance {
        try await during(server) { try await Task.sleep(for: rest) }.disturbance
    }

    private static let rest = Duration.seconds(2)

    /// - Parameters:
    ///   - late: microseconds.
    ///   - ours: processor seconds of this program and of those that it measures.
    ///   - seconds: the time between `before` and `after`.
    init(late: Histogram<UInt64>, before: ProcessorTimes, after: ProcessorTimes, ours: Double, seconds: Double) {
        timerP99 = late.milliseconds(99)
        timerMost = late.milliseconds(100)
        others = max(after.busy - before.busy - ours, 0) / seconds
        stolen = max(after.stolen - before.stolen, 0) / seconds
    }
}
