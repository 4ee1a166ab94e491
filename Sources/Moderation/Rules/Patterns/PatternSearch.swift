import Text

extension Pattern {
    /// Returns the leftmost match of the pattern; nil if there is none. `text` holds the scalars of folded text.
    package func firstMatch(in text: [UInt32]) -> Range<Int>? {
        var budget = SearchSteps.unlimited
        return firstMatch(in: text, &budget)
    }

    /// Same as ``firstMatch(in:)``. Also returns nil if the budget runs out.
    package func firstMatch(in text: [UInt32], _ budget: inout SearchSteps) -> Range<Int>? {
        var search = PatternSearch(program)
        let match = search.run(over: text, steps: budget.left)
        budget.spend(search.steps)
        return budget.isExhausted ? nil : match
    }
}

/// One search. Of several threads at the same instruction only the preferred one is kept, so that a step costs at most
/// the length of the program.
private struct PatternSearch {
    private struct Thread {
        let instruction: Int
        let start: Int
    }

    private let program: [Pattern.Instruction]
    private var current: [Thread] = []
    private var next: [Thread] = []
    /// The step of the last entry into each instruction.
    private var entered: [Int]
    private var pending: [Int] = []
    private var step = 0
    /// The number of instructions examined.
    private(set) var steps = 0

    init(_ program: [Pattern.Instruction]) {
        self.program = program
        entered = Array(repeating: 0, count: program.count)
    }

    mutating func run(over text: [UInt32], steps limit: Int) -> Range<Int>? {
        var match: Range<Int>?
        step = 1
        for place in 0...text.count {
            // A match that begins later is never preferred to a found or current one.
            if match == nil { enter(0, from: place, at: place, in: text, isNext: false) }
            if current.isEmpty, match != nil { break }
            if steps > limit { break }
            step += 1
            next.removeAll(keepingCapacity: true)
            for thread in current {
                switch program[thread.instruction] {
                case .match:
                    match = thread.start..<place
                case .take(let set):
                    steps += set.weight
                    if place < text.count, set.contains(text[place]) {
                        enter(thread.instruction + 1, from: thread.start, at: place + 1, in: text, isNext: true)
                    }
                    continue
                case .assert, .split, .jump: continue
                }
                // The threads that follow are less preferred.
                break
            }
            swap(&current, &next)
        }
        return match
    }

    /// Follows instructions that consume no scalar, in the order of preference.
    private mutating func enter(
        _ instruction: Int, from start: Int, at place: Int, in text: [UInt32], isNext: Bool
    ) {
        pending.append(instruction)
        while let instruction = pending.popLast() {
            steps += 1
            guard entered[instruction] != step else { continue }
            entered[instruction] = step
            switch program[instruction] {
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .assert(let assertion):
                if Self.holds(assertion, at: place, in: text) { pending.append(instruction + 1) }
            case .take, .match:
                let thread = Thread(instruction: instruction, start: start)
                if isNext { next.append(thread) } else { current.append(thread) }
            }
        }
    }

    private static func holds(_ assertion: PatternAssertion, at place: Int, in text: [UInt32]) -> Bool {
        switch assertion {
        case .start: return place == 0
        case .end: return place == text.count
        case .wordBoundary, .noWordBoundary:
            let before = place > 0 && ScalarSet.Kind.word.contains(text[place - 1])
            let after = place < text.count && ScalarSet.Kind.word.contains(text[place])
            return (before != after) == (assertion == .wordBoundary)
        }
    }
}
