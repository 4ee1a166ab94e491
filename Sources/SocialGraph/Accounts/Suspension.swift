/// The reason and the end of a suspension. `endsAt`: milliseconds since 1970; nil: permanent.
package struct Suspension: Sendable, Equatable {
    package let reason: String
    package let endsAt: Int64?

    package init(reason: String, endsAt: Int64?) {
        self.reason = reason
        self.endsAt = endsAt
    }
}
