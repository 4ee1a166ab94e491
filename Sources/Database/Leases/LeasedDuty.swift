import Logging

/// Work that one of several nodes does at a time: the one that holds the lease of its name.
///
/// A node without the lease looks at it, and writes only to take it. It takes a lease that is free, was released, or
/// has not been renewed for its length by the time since boot. The work starts only while the lease is held, and is
/// cancelled when the lease is lost or can no longer be renewed. So two nodes never work at a time, as long as work
/// ends soon after it is cancelled; for writes that come later there is the epoch of the lease.
package struct LeasedDuty: Sendable {
    /// The work, which runs until it is cancelled. An error ends it until the next time that the lease is taken.
    package typealias Work = @Sendable (HeldLease) async throws -> Void

    /// The end of a time of work.
    private enum End {
        /// By itself; nil: without an error.
        case ended((any Error)?)
        /// Because another owner has the lease.
        case lost
        /// Because the lease could not be renewed in time.
        case expired
        /// Because another node is to go on.
        case handedOn
    }

    /// Time between two looks at the lease of another node.
    static let lookInterval = Duration.milliseconds(250)
    /// Time between two attempts to renew the lease.
    static let retryInterval = Duration.milliseconds(250)

    let leases: LeaseStore
    let looks: LeaseLooks
    let name: String
    let owner: Int64
    let terms: LeaseTerms
    let logger: Logger
    /// Milliseconds since boot.
    let boot: @Sendable () -> Int64
    let sleep: @Sendable (Duration) async throws -> Void
    let isStopping: @Sendable () -> Bool
    let mayTake: @Sendable (_ free: Duration) -> Bool

    /// - Parameters:
    ///   - name: the name of the lease.
    ///   - owner: the number of the node. A lease that has it is free: it is that of a former process of the node.
    ///   - looks: shared by the duties of a process; nil: this one looks alone.
    ///   - isStopping: true once the node shuts down gracefully. Then work that ends by itself is not begun again, and
    ///     no lease is taken.
    ///   - mayTake: false while a lease that has been free for so long is to be left to other nodes.
    package init(
        _ name: String, of owner: Int64, in leases: LeaseStore, sharing looks: LeaseLooks? = nil,
        terms: LeaseTerms = .duty, logger: Logger,
        boot: @escaping @Sendable () -> Int64 = BootClock.milliseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        isStopping: @escaping @Sendable () -> Bool = { false },
        mayTake: @escaping @Sendable (_ free: Duration) -> Bool = { _ in true }
    ) {
        self.leases = leases
        self.looks = looks ?? LeaseLooks(leases)
        self.name = name
        self.owner = owner
        self.terms = terms
        self.boot = boot
        self.sleep = sleep
        self.isStopping = isStopping
        self.mayTake = mayTake
        var logger = logger
        logger[metadataKey: "lease"] = "\(name)"
        self.logger = logger
    }

    private var isOver: Bool { Task.isCancelled || isStopping() }

    /// Runs `work` whenever the lease can be had, until the task is cancelled or the node is stopping. The lease is
    /// released after the end of `work`.
    package func run(_ work: @escaping Work) async {
        var pauses = GrowingPauses()
        while let lease = await standBy() {
            logger.notice("duty taken over", metadata: ["epoch": "\(lease.epoch)"])
            let began = boot()
            let end = await hold(lease, work)
            if case .lost = end {} else { await release(lease) }
            report(end)
            if case .ended = end { await pause(pauses.next(after: .milliseconds(boot() - began))) }
        }
    }

    /// Waits in small steps, so that the end of the node is noticed.
    private func pause(_ duration: Duration) async {
        let end = boot() + Int64(duration / .milliseconds(1))
        while !isOver, boot() < end { try? await sleep(Self.lookInterval) }
    }

    /// Waits until the lease is free, and takes it; nil: there is no need any more.
    private func standBy() async -> HeldLease? {
        var (watch, freeSince): (LeaseWatch, Int64?) = (LeaseWatch(), nil)
        while !isOver {
            do {
                if let lease = try await attempt(&watch, &freeSince) { return lease }
            } catch {
                logger.warning("duty cannot be taken over; will retry", metadata: ["error": "\(error)"])
            }
            // All duties of a node look at the same time, so that they share the looks.
            let interval = Int64(Self.lookInterval / .milliseconds(1))
            try? await sleep(.milliseconds(interval - boot() % interval))
        }
        return nil
    }

    /// Returns the lease if it could be taken.
    private func attempt(_ watch: inout LeaseWatch, _ freeSince: inout Int64?) async throws -> HeldLease? {
        let seen = try await looks.lease(name)
        guard watch.isFree(seen, for: owner, length: terms.length, at: boot()), !isOver else {
            freeSince = nil
            return nil
        }
        let asked = boot()
        let since = freeSince ?? asked
        freeSince = since
        guard mayTake(.milliseconds(asked - since)) else { return nil }
        do {
            let lease = try await leases.acquire(name, for: owner, length: terms.length, ifStill: seen)
            return HeldLease(lease, in: leases, terms: terms, askedAt: asked, boot: boot)
        } catch is LeaseHeld {
            return nil
        }
    }

    /// Works and renews the lease, until either has an end, and waits for the end of both.
    private func hold(_ lease: HeldLease, _ work: @escaping Work) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask { await renew(lease) }
            group.addTask { await awaitEnd(of: lease) }
            group.addTask {
                guard lease.isHeld else { return .expired }
                do {
                    try await work(lease)
                    return .ended(nil)
                } catch {
                    return error is LeaseLost ? .lost : error is DutyHandedOn ? .handedOn : .ended(error)
                }
            }
            let first = await group.next() ?? .ended(nil)
            group.cancelAll()
            await group.waitForAll()
            return first
        }
    }

    private func renew(_ lease: HeldLease) async -> End {
        while !Task.isCancelled {
            try? await sleep(max(lease.untilRenewal, .milliseconds(1)))
            if Task.isCancelled { break }
            do {
                try await lease.renew()
            } catch is LeaseLost {
                return .lost
            } catch {
                logger.warning("lease cannot be renewed; will retry", metadata: ["error": "\(error)"])
                try? await sleep(Self.retryInterval)
            }
        }
        return .ended(nil)
    }

    /// Returns when the owner must stop. It does not wait for a renewal that is under way: the database may be away.
    private func awaitEnd(of lease: HeldLease) async -> End {
        while !Task.isCancelled, lease.isHeld { try? await sleep(max(lease.untilEnd, .milliseconds(1))) }
        return .expired
    }

    /// Releases the lease, even if the task was cancelled.
    private func release(_ lease: HeldLease) async {
        // Owner: this function, which waits for it.
        let released = Task { try await lease.release() }
        do { try await released.value } catch {
            logger.warning("lease cannot be released", metadata: ["error": "\(error)"])
        }
    }

    private func report(_ end: End) {
        switch end {
        case _ where isOver: logger.notice("duty given up")
        case .ended(let error?): logger.error("duty failed; will retry", metadata: ["error": "\(error)"])
        case .ended(nil): logger.error("duty ended by itself; will retry")
        case .lost: logger.warning("another node has taken over")
        case .handedOn: logger.notice("duty handed on")
        case .expired: logger.warning("duty given up, because its lease could not be renewed")
        }
    }
}

/// Thrown by work to have another node go on with it.
package struct DutyHandedOn: Error {
    package init() {}
}

/// Pauses after failures: each is longer than the one before, until one try lasts.
struct GrowingPauses {
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(30)

    private var upcoming = Self.first

    /// Returns the next pause.
    ///
    /// - Parameter tried: the time that the last try took.
    mutating func next(after tried: Duration) -> Duration {
        if tried >= Self.longest { upcoming = Self.first }
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }
}
