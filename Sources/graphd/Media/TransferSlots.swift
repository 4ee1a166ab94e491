import HTTPTypes
import Synchronization

/// How many transfers are under way at once, in all and of one user. More are refused rather than made to wait: a
/// transfer takes minutes.
final class TransferSlots: Sendable {
    private struct State {
        var taken = 0
        var byUser: [Int64: Int] = [:]
    }

    private let limit: Int
    private let limitPerUser: Int
    private let state = Mutex(State())

    init(limit: Int, perUser: Int = .max) {
        self.limit = limit
        limitPerUser = perUser
    }

    /// A place, until the slot that is returned is let go.
    ///
    /// - Throws: `Problem` 503 `busy`, 429 `rate_limited`.
    func take(for user: Int64? = nil) throws -> Slot {
        try state.withLock { state in
            guard state.taken < limit else {
                throw Problem(
                    .busy, "Too many files are being transferred; try again.", headers: [.retryAfter: "5"])
            }
            if let user {
                let count = state.byUser[user, default: 0]
                guard count < limitPerUser else {
                    throw Problem(
                        .rateLimited, "At most \(limitPerUser) uploads of one user may be under way. Wait for one.",
                        headers: [.retryAfter: "5"])
                }
                state.byUser[user] = count + 1
            }
            state.taken += 1
            return Slot(slots: self, user: user)
        }
    }

    fileprivate func giveBack(_ user: Int64?) {
        state.withLock { state in
            state.taken -= 1
            guard let user, let count = state.byUser[user] else { return }
            state.byUser[user] = count > 1 ? count - 1 : nil
        }
    }

    /// One place; given back when nothing holds it any more.
    final class Slot: Sendable {
        private let slots: TransferSlots
        private let user: Int64?

        fileprivate init(slots: TransferSlots, user: Int64?) {
            self.slots = slots
            self.user = user
        }

        deinit { slots.giveBack(user) }
    }
}
