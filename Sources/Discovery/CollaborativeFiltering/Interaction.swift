/// How much one user likes one item, all told.
package struct Interaction: Sendable, Equatable {
    package let user: Int64
    package let item: Int64
    /// Above 0.
    package let weight: Float
    /// Of the latest act; larger is later, in whatever unit.
    package let time: Int64

    package init(user: Int64, item: Int64, weight: Float, time: Int64) {
        self.user = user
        self.item = item
        self.weight = weight
        self.time = time
    }
}
