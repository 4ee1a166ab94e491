import SocialGraph

/// A budget of steps for searching a text. A step is one instruction of a pattern, one move of a word search or one
/// scalar of a host, so that the same text and rules cost the same everywhere.
package struct RuleSteps: Sendable {
    private let limit: Int
    package private(set) var spent = 0

    package init(limit: Int) { self.limit = limit }

    /// The budget of all rules of one scope for `texts`. It grows with the length: a long transcript takes many steps
    /// without costly rules.
    init(forTexts texts: [FoldedText]) {
        let length = texts.reduce(0) { $0 + $1.scalars.count }
        self.init(limit: ModerationLimits.screeningSteps + ModerationLimits.screeningStepsOfScalar * length)
    }

    package static var unlimited: RuleSteps { RuleSteps(limit: .max) }

    package var left: Int { max(limit - spent, 0) }
    package var isExhausted: Bool { spent > limit }

    package mutating func spend(_ steps: Int) { spent += steps }
}
