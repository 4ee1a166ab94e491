/// A bound on the databases that tests use at a time. All tests start at once; without it each would wait for all
/// others. A test that uses several takes one slot.
actor DatabaseSlots {
    static let shared = DatabaseSlots()

    @TaskLocal private static var isHeld = false

    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` in a slot.
    nonisolated func withSlot<T>(_ body: () async throws -> T) async throws -> T {
        if Self.isHeld { return try await body() }
        await take()
        let result: Result<T, any Error>
        do { result = .success(try await Self.$isHeld.withValue(true) { try await body() }) } catch {
            result = .failure(error)
        }
        await release()
        return try result.get()
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
