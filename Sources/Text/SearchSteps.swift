/// A budget of steps for searching a text. A step is one instruction of a pattern, one move of a word search or one
/// scalar of a host, so that the same text and rules cost the same everywhere.
package struct SearchSteps: Sendable {
    private let limit: Int
    package private(set) var spent = 0

    package init(limit: Int) { self.limit = limit }

    package static var unlimited: SearchSteps { SearchSteps(limit: .max) }

    package var left: Int { max(limit - spent, 0) }
    package var isExhausted: Bool { spent > limit }

    package mutating func spend(_ steps: Int) { spent += steps }
}
