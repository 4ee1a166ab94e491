/// Tells by looks at a lease when it may be taken, from the time since boot alone. An owner renews its lease by that
/// clock, too, so no jump of a wall clock passes on a lease whose owner holds it.
package struct LeaseWatch: Sendable {
    private var seen: (lease: Lease, at: Int64)?

    package init() {}

    /// Returns whether the lease is free, was released, belonged to `owner`, or has not been renewed for its length.
    ///
    /// - Parameters:
    ///   - lease: as it was read; nil: there is none.
    ///   - owner: who wants it. Its former process has ended.
    ///   - length: milliseconds.
    ///   - now: the time after the look, in milliseconds since boot.
    package mutating func isFree(_ lease: Lease?, for owner: Int64?, length: Int64, at now: Int64) -> Bool {
        guard let lease, !lease.isReleased, lease.owner != owner else { return true }
        if let seen, seen.lease == lease { return now - seen.at >= length }
        seen = (lease, now)
        return false
    }
}
