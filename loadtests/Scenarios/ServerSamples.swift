import GraphdClient

/// Samples a server several times a second.
struct ServerSamples {
    let server: Server

    private static let interval = Duration.milliseconds(250)

    /// Takes samples. There is none while the server does not answer.
    func take(for seconds: Double) async -> [ScenarioReport.Sample] {
        let start = ContinuousClock.now
        var samples: [ScenarioReport.Sample] = []
        while start.duration(to: .now) < .seconds(seconds) {
            let ready = try? await server.client.operations.readiness()
            if let pending = ready?.outbox?.pending, let usage = try? server.usage() {
                samples.append(
                    ScenarioReport.Sample(
                        at: start.duration(to: .now) / .seconds(1), pending: pending,
                        residentBytes: usage.residentBytes, mappedBytes: usage.mappedBytes))
            }
            do { try await Task.sleep(for: Self.interval) } catch { return samples }
        }
        return samples
    }
}
