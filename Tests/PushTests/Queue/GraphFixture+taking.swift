import Push
import TestSupport

extension GraphFixture {
    /// Takes deliveries that are due by the clock of the test.
    func takeDeliveries(
        _ channel: PushChannel, limit: Int, lease: Int64, places: PushPlaces = PushPlaces()
    ) async throws -> [PushDelivery] {
        try await graph.pushDeliveries.takeDeliveries(
            channel, at: clock.now, limit: limit, lease: lease, places: places)
    }
}
