import Synchronization

/// The hosts of an address, by their indices, to which connections were made.
final class ReachedHosts: Sendable {
    /// The last one that has committed for the writer; before there is one, the last one that was reached.
    private let last = Atomic(0)
    /// Number of connections on which the writer has found that the server commits.
    let writers = Atomic(0)
    /// The host with which the writer begins its next search; nil: ``last``.
    private let next = Mutex<Int?>(nil)
    private let examineWriter = Mutex<@Sendable () -> Void>({})

    /// The first host to try.
    func first(for role: PostgreSQLConnection.Role) -> Int {
        let last = last.load(ordering: .acquiring)
        return role == .writer ? next.withLock(\.self) ?? last : last
    }

    /// Notes a host that was reached.
    func note(_ host: Int) {
        if writers.load(ordering: .acquiring) == 0 { last.store(host, ordering: .releasing) }
    }

    /// Notes a host that has committed for the writer.
    func confirm(_ host: Int) {
        last.store(host, ordering: .releasing)
        next.withLock { $0 = nil }
        writers.add(1, ordering: .acquiringAndReleasing)
    }

    func isConfirmed(_ host: Int) -> Bool {
        writers.load(ordering: .acquiring) > 0 && last.load(ordering: .acquiring) == host
    }

    /// Lets the writer begin its next search with the host after this one. Readers stay until it has found one.
    func passOver(_ host: Int) { next.withLock { $0 = host + 1 } }

    func setExamination(_ examine: @escaping @Sendable () -> Void) { examineWriter.withLock { $0 = examine } }

    func askForExamination() {
        let examine = examineWriter.withLock { $0 }
        examine()
    }
}
