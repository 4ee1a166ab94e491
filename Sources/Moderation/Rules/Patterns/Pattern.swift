import Foundation
import SocialGraph

/// A regular expression with a search time proportional to the text for every pattern. All ways to match are followed
/// at once (Thompson 1968, Pike's virtual machine), and none is tried again.
package struct Pattern: Sendable {
    enum Instruction: Sendable {
        /// Takes one scalar of a set, given by its place in ``Pattern/sets``.
        case take(Int)
        case assert(PatternAssertion)
        /// Continues at both instructions, of which the first is preferred.
        case split(Int, Int)
        case jump(Int)
        case match
    }

    let program: [Instruction]
    /// The different sets of the program. Instructions refer to them, so that following one counts no references.
    let sets: [ScalarSet]
    /// The maximum number of steps for a look into each set.
    let weights: [Int]
    /// The maximum number of steps for one scalar of a text.
    let weight: Int
    /// The error for a new pattern whose ranges together have more characters than are folded. A stored pattern of an
    /// earlier version still works, and matches the ranges beyond the limit without folding.
    let excess: PatternError?

    /// Compiles a pattern. Throws ``PatternError``.
    package init(_ text: String) throws {
        let (node, sets, unfolded) = try PatternParser.parse(text.precomposedStringWithCanonicalMapping)
        let limit = ModerationLimits.patternInstructions
        guard node.size(limit: limit + 1) <= limit else {
            throw PatternError(0, "the pattern is too large; a repeated part counts once for each repetition")
        }
        var program: [Instruction] = []
        Self.emit(node, into: &program)
        program.append(.match)
        let weights = sets.map(\.weight)
        excess = unfolded.map { PatternError($0, Self.excessMessage) }
        self.program = program
        self.sets = sets
        self.weights = weights
        weight = program.reduce(0) { sum, instruction in
            guard case .take(let set) = instruction else { return sum + 1 }
            return sum + 1 + weights[set]
        }
    }

    /// An estimate of the size in bytes.
    var size: Int {
        let ranges = sets.reduce(0) { $0 + $1.ranges.count * MemoryLayout<ClosedRange<UInt32>>.stride }
        return ranges + sets.count * MemoryLayout<ScalarSet>.stride + program.count * MemoryLayout<Instruction>.stride
    }

    private static let excessMessage =
        "the ranges of a pattern may have at most \(RangeFolding.limit) characters together, where a repeated range "
        + "counts once and a longer range does not count"

    private static func emit(_ node: PatternNode, into program: inout [Instruction]) {
        switch node {
        case .one(let set): program.append(.take(set))
        case .assertion(let assertion): program.append(.assert(assertion))
        case .sequence(let nodes): for node in nodes { emit(node, into: &program) }
        case .either(let branches): emitBranches(branches, into: &program)
        case .repeated(let node, let least, let most, let isGreedy):
            for _ in 0..<least { emit(node, into: &program) }
            guard let most else { return emitLoop(over: node, isGreedy, into: &program) }
            // A series of optional copies, each of which can skip to the end.
            var splits: [Int] = []
            for _ in least..<max(most, least) {
                splits.append(program.count)
                program.append(.match)
                emit(node, into: &program)
            }
            for split in splits { program[split] = fork(split + 1, program.count, isGreedy) }
        }
    }

    private static func emitLoop(
        over node: PatternNode, _ isGreedy: Bool, into program: inout [Instruction]
    ) {
        let split = program.count
        program.append(.match)
        emit(node, into: &program)
        program.append(.jump(split))
        program[split] = fork(split + 1, program.count, isGreedy)
    }

    private static func emitBranches(_ branches: [PatternNode], into program: inout [Instruction]) {
        var ends: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard index < branches.count - 1 else {
                emit(branch, into: &program)
                break
            }
            let split = program.count
            program.append(.match)
            emit(branch, into: &program)
            ends.append(program.count)
            program.append(.match)
            program[split] = .split(split + 1, program.count)
        }
        for end in ends { program[end] = .jump(program.count) }
    }

    private static func fork(_ inside: Int, _ outside: Int, _ isGreedy: Bool) -> Instruction {
        isGreedy ? .split(inside, outside) : .split(outside, inside)
    }
}
