import Synchronization

/// State of judging before the transaction: whether there are rules at all, a thread for long judgements, and the
/// number of steps taken.
package final class ScreeningDesk: Sendable {
    private let hasRules = Atomic(true)
    private let count = Atomic(0)
    let thread = ScreeningThread()

    package init() {}

    /// False: the last look found no version of any rules; the transaction notices if that has changed.
    var mayHaveRules: Bool {
        get { hasRules.load(ordering: .relaxed) }
        set { hasRules.store(newValue, ordering: .relaxed) }
    }

    /// Steps that rules have taken over contents.
    package var steps: Int { count.load(ordering: .relaxed) }

    func count(_ steps: Int) { count.add(steps, ordering: .relaxed) }
}
