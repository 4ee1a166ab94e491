import Synchronization

/// Orders removals after additions that were composed from an older snapshot.
///
/// A caller that reads SQLite in order to change windows holds a ticket from before the read until Redis has answered.
/// A removal first waits until every ticket outstanding at its arrival has been returned. By then every operation that
/// could still add the removed item has been executed, and later operations read a snapshot without it.
/// (Read-copy-update's grace period: McKenney & Slingwine, PDCS 1998.)
package final class GracePeriod: Sendable {
    package struct Ticket: Sendable, Hashable { fileprivate let number: UInt64 }

    private struct State {
        var next: UInt64 = 1
        var open: Set<UInt64> = []
        var waiting: [(until: UInt64, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func enter() -> Ticket {
        state.withLock { state in
            defer { state.next += 1 }
            state.open.insert(state.next)
            return Ticket(number: state.next)
        }
    }

    package func leave(_ ticket: Ticket) {
        let released = state.withLock { state in
            state.open.remove(ticket.number)
            let oldest = state.open.min() ?? .max
            let released = state.waiting.filter { $0.until <= oldest }.map(\.1)
            if !released.isEmpty { state.waiting.removeAll { $0.until <= oldest } }
            return released
        }
        for continuation in released { continuation.resume() }
    }

    /// Holds a ticket for the duration of `body`.
    package func during<T: Sendable>(_ body: () async throws -> T) async rethrows -> T {
        let ticket = enter()
        defer { leave(ticket) }
        return try await body()
    }

    /// Returns when every ticket that is outstanding at the call has been returned.
    package func elapse() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.open.isEmpty { return true }
                state.waiting.append((state.next, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
