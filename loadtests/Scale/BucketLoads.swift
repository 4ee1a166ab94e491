/// The readers of a bucket, with their windows and their share of the deliveries.
package struct BucketLoad: Sendable, Equatable {
    package var users = 0
    package var windows = 0
    package var follows = 0
    /// Entries of its windows.
    package var entries = 0.0
    /// Entries added to its windows a day, and readers without a window that pushes a day look for.
    package var deliveriesPerDay = 0.0
    package var missesPerDay = 0.0
    /// Follows of authors whose posts are pulled, by readers with windows.
    package var hubFollows = 0

    static func += (sum: inout Self, load: Self) {
        sum.users += load.users
        sum.windows += load.windows
        sum.follows += load.follows
        sum.entries += load.entries
        sum.deliveriesPerDay += load.deliveriesPerDay
        sum.missesPerDay += load.missesPerDay
        sum.hubFollows += load.hubFollows
    }

    func adding(_ other: Self) -> Self {
        var sum = self
        sum += other
        return sum
    }
}

extension [BucketLoad] {
    /// The loads of `count` owners, of which `owner` tells each bucket's.
    func by(_ count: Int, _ owner: (Int) -> Int) -> [BucketLoad] {
        var sums = [BucketLoad](repeating: BucketLoad(), count: count)
        for (bucket, load) in enumerated() { sums[owner(bucket)] += load }
        return sums
    }

    var total: BucketLoad { reduce(BucketLoad()) { $0.adding($1) } }
}
