import Synchronization

/// Counts what must not fall between the two halves of a page, its window and what the caches say: commits, and the
/// ends of jobs that readers wait for. Each is counted before its effect. While the count stands still, the order in
/// which the halves are read makes no difference.
final class PageEvents: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func note() { number.add(1, ordering: .sequentiallyConsistent) }
}
