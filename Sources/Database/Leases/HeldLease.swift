import Synchronization

/// A lease from its owner's side, measured by the clock since boot, which cannot be set and continues while a process
/// is stopped. The owner's end lies before the one in the database.
package final class HeldLease: Sendable {
    private struct State {
        /// The end by the clock since boot; nil: released or lost.
        var end: Int64?
        var renewalDue: Int64
    }

    package let name: String
    package let epoch: Int64
    package var stamp: LeaseStamp { LeaseStamp(name: name, epoch: epoch) }
    private let store: LeaseStore
    private let terms: LeaseTerms
    private let boot: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Parameter asked: the time before the lease was asked for, by `boot`.
    init(
        _ lease: Lease, in store: LeaseStore, terms: LeaseTerms, askedAt asked: Int64,
        boot: @escaping @Sendable () -> Int64
    ) {
        name = lease.name
        epoch = lease.epoch
        self.store = store
        self.terms = terms
        self.boot = boot
        state = Mutex(State(end: asked + terms.length - terms.margin, renewalDue: terms.nextRenewal(after: asked)))
    }

    /// True while the owner may continue its work. After a pause that was too long for a renewal it is false until the
    /// next one succeeds.
    package var isHeld: Bool {
        let now = boot()
        return state.withLock { state in state.end.map { now < $0 } ?? false }
    }

    /// Time until the owner must stop, unless it renews the lease before; zero: it must have stopped.
    package var untilEnd: Duration {
        let now = boot()
        return .milliseconds(max(0, (state.withLock { $0.end } ?? now) - now))
    }

    /// Time since the last renewal was asked for; nil once the lease is released or lost.
    package var sinceRenewal: Duration? {
        let now = boot()
        return state.withLock(\.end).map { .milliseconds(now - ($0 - terms.length + terms.margin)) }
    }

    /// Time until the owner should renew the lease; not positive: the renewal is overdue.
    package var untilRenewal: Duration {
        let now = boot()
        return .milliseconds(state.withLock { $0.renewalDue } - now)
    }

    /// - Throws: ``LeaseLost`` once another owner has it, or after ``release()``.
    package func renew() async throws {
        guard state.withLock({ $0.end != nil }) else { throw LeaseLost(name: name) }
        let asked = boot()
        do {
            try await store.renew(name, epoch, length: terms.length)
        } catch let error as LeaseLost {
            state.withLock { $0.end = nil }
            throw error
        }
        state.withLock { state in
            guard let end = state.end else { return }
            state.end = max(end, asked + terms.length - terms.margin)
            state.renewalDue = terms.nextRenewal(after: asked)
        }
    }

    /// Releases the lease, so that the next owner need not wait for its end.
    package func release() async throws {
        state.withLock { $0.end = nil }
        try await store.release(name, epoch)
    }
}

extension LeaseStore {
    /// Takes the lease `name`, waiting for its end if need be. An end in a time that a clock has jumped to is not
    /// waited for: an owner that has not renewed the lease for its whole length is gone.
    ///
    /// - Parameters:
    ///   - owner: the number of the process, or of what outlives it.
    ///   - boot: milliseconds by a clock that cannot be set.
    ///   - pause: waits before the next attempt.
    /// - Throws: ``LeaseHeld`` if another owner goes on renewing it.
    package func take(
        _ name: String, for owner: Int64 = .random(in: 1...IDSequence.maximum), from former: FormerOwner,
        terms: LeaseTerms = .serving,
        boot: @escaping @Sendable () -> Int64 = BootClock.milliseconds,
        pause: () async throws -> Void = { try await Task.sleep(for: .milliseconds(100)) }
    ) async throws -> HeldLease {
        let began = boot()
        var seen: (lease: Lease, at: Int64)?
        while true {
            let asked = boot()
            let silent = seen.flatMap { asked - $0.at >= terms.length ? $0.lease : nil }
            do {
                let lease = try await acquire(
                    name, for: owner, length: terms.length, from: former, silent: silent)
                return HeldLease(lease, in: self, terms: terms, askedAt: asked, boot: boot)
            } catch let held as LeaseHeld {
                let now = boot()
                if seen?.lease != held.lease {
                    if now - began >= terms.length { throw held }
                    seen = (held.lease, now)
                }
            }
            try await pause()
        }
    }
}
