import Foundation

/// The faults that a scenario causes.
struct Faults {
    let server: Server

    /// - Parameter warmUp: seconds before the events' time begins.
    func cause(_ events: [Scenario.Event], after warmUp: Double) async throws {
        let start = ContinuousClock.now + .seconds(warmUp)
        for event in events.sorted(by: { $0.at < $1.at }) {
            try await Task.sleep(until: start + .seconds(event.at))
            switch event.kind {
            case .loseRedis:
                Progress.say("killing Redis")
                kill(try server.redis().process, SIGKILL)
            }
        }
    }
}
