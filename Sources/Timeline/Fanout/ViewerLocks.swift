import SocialGraph
import Synchronization

/// One writer a window for what reads the window or its reader's graph as a whole: builds, merges and unmerges of one
/// reader happen one after the other, in order of arrival.
final class ViewerLocks: Sendable {
    /// Present while locked; the value queues those who wait.
    private let queues = Mutex<[UserID: [CheckedContinuation<Void, Never>]]>([:])

    func withLock<T: Sendable>(_ viewer: UserID, _ body: () async throws -> T) async rethrows -> T {
        await lock(viewer)
        defer { unlock(viewer) }
        return try await body()
    }

    private func lock(_ viewer: UserID) async {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                if queues[viewer] != nil {
                    queues[viewer]?.append(continuation)
                    return false
                }
                queues[viewer] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func unlock(_ viewer: UserID) {
        let next = queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard var queue = queues[viewer], !queue.isEmpty else {
                queues[viewer] = nil
                return nil
            }
            let next = queue.removeFirst()
            queues[viewer] = queue
            return next
        }
        next?.resume()
    }
}
