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

extension LeaseStore {
    /// Returns those leases whose owners live: which they renew while this waits, at most for the length of the leases.
    /// One is enough to return.
    ///
    /// - Parameters:
    ///   - length: that of the leases, in milliseconds.
    ///   - wall: milliseconds since 1970. A lease that ended a whole length ago is not waited for.
    ///   - find: returns the leases.
    package func renewedLeases(
        length: Int64, boot: () -> Int64 = BootClock.milliseconds, wall: () -> Int64 = SystemClock.milliseconds,
        pause: () async throws -> Void = { try await Task.sleep(for: .milliseconds(100)) },
        _ find: () async throws -> [Lease]
    ) async throws -> [Lease] {
        var (watches, first): ([String: LeaseWatch], [String: Lease]) = ([:], [:])
        while true {
            var isWaiting = false
            var renewed: [Lease] = []
            for lease in try await find() {
                let isFree = watches[lease.name, default: LeaseWatch()]
                    .isFree(lease, for: nil, length: length, at: boot())
                guard !isFree, wall() < lease.endsAt + length else { continue }
                isWaiting = true
                if first[lease.name] ?? lease != lease { renewed.append(lease) }
                first[lease.name] = first[lease.name] ?? lease
            }
            if !renewed.isEmpty || !isWaiting { return renewed }
            try await pause()
        }
    }
}
