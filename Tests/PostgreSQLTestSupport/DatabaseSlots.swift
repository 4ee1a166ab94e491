/// A bound on the databases that tests use at a time. All tests start at once; without it each would wait for all
/// others.
actor DatabaseSlots {
    static let shared = DatabaseSlots()

    private var free = 6
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async throws {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
