/// The total strength of one user's interest in one item.
package struct Interaction: Sendable, Equatable {
    package let user: Int64
    package let item: Int64
    /// Strength of the interest, above 0.
    package let weight: Float
    /// Time of the latest act, in any unit; larger is later.
    package let time: Int64

    package init(user: Int64, item: Int64, weight: Float, time: Int64) {
        self.user = user
        self.item = item
        self.weight = weight
        self.time = time
    }
}
