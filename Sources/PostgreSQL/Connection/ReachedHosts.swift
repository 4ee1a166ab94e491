import Synchronization

/// The hosts of an address that connections were made to.
final class ReachedHosts: Sendable {
    /// The index of the last one, by the writer if there is one.
    private let last = Atomic(0)
    /// Number of connections of the writer.
    let writers = Atomic(0)
    /// The host with which the writer begins its next search; nil: ``last``.
    private let next = Mutex<Int?>(nil)
    private let examineWriter = Mutex<@Sendable () -> Void>({})

    /// The first host to try.
    func first(for role: PostgreSQLConnection.Role) -> Int {
        let last = last.load(ordering: .acquiring)
        return role == .writer ? next.withLock(\.self) ?? last : last
    }

    func note(_ index: Int, by role: PostgreSQLConnection.Role) {
        if role == .writer || writers.load(ordering: .acquiring) == 0 { last.store(index, ordering: .releasing) }
        guard role == .writer else { return }
        next.withLock { $0 = nil }
        writers.add(1, ordering: .acquiringAndReleasing)
    }

    /// Lets the writer begin its next search with the host after the present one. Readers stay until it has found one.
    func passOverWriters() {
        let last = last.load(ordering: .acquiring)
        next.withLock { $0 = last + 1 }
    }

    func setExamination(_ examine: @escaping @Sendable () -> Void) { examineWriter.withLock { $0 = examine } }

    func askForExamination() {
        let examine = examineWriter.withLock { $0 }
        examine()
    }
}
