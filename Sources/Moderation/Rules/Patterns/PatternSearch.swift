import Text

extension Pattern {
    /// Returns the leftmost match of the pattern; nil if there is none. `text` holds the scalars of folded text.
    package func firstMatch(in text: [UInt32]) -> Range<Int>? {
        var budget = SearchSteps.unlimited
        return firstMatch(in: text, &budget)
    }

    /// Same as ``firstMatch(in:)``. Also returns nil if the budget runs out.
    package func firstMatch(in text: [UInt32], _ budget: inout SearchSteps) -> Range<Int>? {
        var search = PatternSearch(self)
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

    private let pattern: Pattern
    private var current: [Thread] = []
    private var next: [Thread] = []
    /// The step of the last entry into each instruction.
    private var entered: [Int]
    private var pending: [Int] = []
    /// The step of the last look into each set, and its result, which holds for all threads of the step.
    private var looked: [Int]
    private var accepted: [Bool]
    private var step = 0
    /// The number of instructions examined.
    private(set) var steps = 0

    init(_ pattern: Pattern) {
        self.pattern = pattern
        entered = Array(repeating: 0, count: pattern.program.count)
        looked = Array(repeating: 0, count: pattern.sets.count)
        accepted = Array(repeating: false, count: pattern.sets.count)
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
                switch pattern.program[thread.instruction] {
                case .match:
                    match = thread.start..<place
                case .take(let set):
                    steps += pattern.weights[set]
                    if place < text.count, accepts(text[place], set) {
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

    /// Returns true if the set contains the scalar of this step.
    private mutating func accepts(_ scalar: UInt32, _ set: Int) -> Bool {
        if looked[set] != step {
            looked[set] = step
            accepted[set] = pattern.sets[set].contains(scalar)
        }
        return accepted[set]
    }

    /// Follows instructions that consume no scalar, in the order of preference.
    private mutating func enter(
        _ instruction: Int, from start: Int, at place: Int, in text: [UInt32], isNext: Bool
    ) {
        var instruction = instruction
        while true {
            steps += 1
            if entered[instruction] != step {
                entered[instruction] = step
                switch pattern.program[instruction] {
                case .jump(let target):
                    instruction = target
                    continue
                case .split(let first, let second):
                    pending.append(second)
                    instruction = first
                    continue
                case .assert(let assertion):
                    if Self.holds(assertion, at: place, in: text) {
                        instruction += 1
                        continue
                    }
                case .take, .match:
                    let thread = Thread(instruction: instruction, start: start)
                    if isNext { next.append(thread) } else { current.append(thread) }
                }
            }
            guard let other = pending.popLast() else { return }
            instruction = other
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
