import GraphAPI

/// Looks at a server some times a second.
struct ServerSamples {
    let server: Server

    private static let interval = Duration.milliseconds(250)

    /// While the server does not answer there is no sample.
    func take(for seconds: Double) async -> [ScenarioReport.Sample] {
        let start = ContinuousClock.now
        var samples: [ScenarioReport.Sample] = []
        while start.duration(to: .now) < .seconds(seconds) {
            if let pending = try? await server.client.readiness().outbox?.pending, let usage = try? server.usage() {
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
