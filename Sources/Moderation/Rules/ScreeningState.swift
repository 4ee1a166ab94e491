import Synchronization

/// State of judging before the transaction: whether there are any rules, a thread for long judgements, and the numbers
/// of steps taken and of scalars folded.
package final class ScreeningState: Sendable {
    private let hasRules = Atomic(true)
    private let count = Atomic(0)
    private let folded = Atomic(0)
    let thread = ScreeningThread()

    package init() {}

    /// False if the last lookup found no version of any rules. The transaction detects a change since.
    var mayHaveRules: Bool {
        get { hasRules.load(ordering: .relaxed) }
        set { hasRules.store(newValue, ordering: .relaxed) }
    }

    /// The number of steps that rules have taken.
    package var steps: Int { count.load(ordering: .relaxed) }

    /// The number of scalars of folded texts.
    var foldedScalars: Int { folded.load(ordering: .relaxed) }

    func countFolded(_ scalars: Int) { folded.add(scalars, ordering: .relaxed) }

    func count(_ steps: Int) { count.add(steps, ordering: .relaxed) }
}
