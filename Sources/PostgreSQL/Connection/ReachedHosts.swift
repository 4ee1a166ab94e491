import Synchronization

/// The hosts of an address, by their indices, to which connections were made.
final class ReachedHosts: Sendable {
    private struct State {
        /// The host of the writer; before it has one, the last that was reached.
        var last = 0
        /// The host with which the writer begins its next search; nil: ``last``.
        var next: Int?
    }

    private let state = Mutex(State())
    /// Number of connections that the writer has taken.
    let writers = Atomic(0)
    private let examineWriter = Mutex<@Sendable () -> Void>({})

    /// The first host to try.
    func first(for role: PostgreSQLConnection.Role) -> Int {
        state.withLock { role == .writer ? $0.next ?? $0.last : $0.last }
    }

    /// Notes a host that was reached.
    func note(_ host: Int) {
        state.withLock { if writers.load(ordering: .acquiring) == 0 { $0.last = host } }
    }

    /// Notes a host that the writer has taken.
    func confirm(_ host: Int) {
        state.withLock { state in
            state = State(last: host)
            writers.add(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Returns whether the writer has taken the host, and has not passed it over since.
    func isConfirmed(_ host: Int) -> Bool {
        state.withLock { $0.last == host && $0.next == nil && writers.load(ordering: .acquiring) > 0 }
    }

    /// Lets the writer begin its next search with the host after this one. Readers stay until it has found one.
    func passOver(_ host: Int) { state.withLock { $0.next = host + 1 } }

    func setExamination(_ examine: @escaping @Sendable () -> Void) { examineWriter.withLock { $0 = examine } }

    func askForExamination() {
        let examine = examineWriter.withLock { $0 }
        examine()
    }
}
