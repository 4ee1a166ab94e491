import GraphServices
import SocialGraph
import Synchronization

/// Limits the storage of each user: the files in the database, and the uploads in progress, whose room is reserved here
/// before it is written. The transaction that stores a file decides.
package final class UploadQuota: Sendable {
    /// Uploads in progress of one user. Exists as long as there is a reservation.
    private struct Account {
        var reserved = MediaUsage()
        /// Usage stored since the account was opened.
        var stored = MediaUsage()
        var reservations = 0
    }

    package let limit: MediaQuota
    private let graph: GraphStore
    private let accounts = Mutex<[UserID: Account]>([:])

    package init(limit: MediaQuota, graph: GraphStore) {
        self.limit = limit
        self.graph = graph
    }

    /// Opens a reservation for one upload, which takes nothing yet.
    package func open(for user: UserID) async throws -> Reservation {
        let mark = accounts.withLock { accounts in
            accounts[user, default: Account()].reservations += 1
            return accounts[user, default: Account()].stored
        }
        // Bytes stored between the mark and the read count twice, which refuses rather than admits.
        do {
            return Reservation(quota: self, user: user, base: try await graph.media.mediaUsage(of: user) - mark)
        } catch {
            close(user, MediaUsage())
            throw error
        }
    }

    fileprivate func take(_ usage: MediaUsage, for user: UserID, base: MediaUsage) throws {
        try accounts.withLock { accounts in
            let account = accounts[user, default: Account()]
            guard (base + account.stored + account.reserved + usage).fits(limit) else {
                throw GraphError.uploadQuotaExceeded(limit)
            }
            accounts[user, default: Account()].reserved = account.reserved + usage
        }
    }

    fileprivate func apply(_ usage: MediaUsage, for user: UserID) {
        accounts.withLock { accounts in
            guard var account = accounts[user] else { return }
            account.stored = account.stored + usage
            account.reserved = account.reserved - usage
            accounts[user] = account
        }
    }

    fileprivate func close(_ user: UserID, _ unused: MediaUsage) {
        accounts.withLock { accounts in
            guard var account = accounts[user] else { return }
            account.reserved = account.reserved - unused
            account.reservations -= 1
            accounts[user] = account.reservations > 0 ? account : nil
        }
    }

    /// The share of its user's room that one upload has taken. The unused rest is given back with the last reference.
    package final class Reservation: Sendable {
        private let quota: UploadQuota
        private let user: UserID
        private let base: MediaUsage
        private let taken = Mutex(MediaUsage())

        fileprivate init(quota: UploadQuota, user: UserID, base: MediaUsage) {
            self.quota = quota
            self.user = user
            self.base = base
        }

        /// Takes room for `bytes` that are about to be written, and `files`.
        ///
        /// - Throws: ``GraphError/uploadQuotaExceeded(_:)``.
        package func take(bytes: Int, files: Int = 0) throws {
            let usage = MediaUsage(bytes: Int64(bytes), files: Int64(files))
            try quota.take(usage, for: user, base: base)
            taken.withLock { $0 = $0 + usage }
        }

        /// Checks that `bytes` more would fit.
        package func check(bytes: Int) throws {
            try take(bytes: bytes)
            giveBack(bytes: bytes)
        }

        /// Records that all of it is stored now.
        func apply() {
            let usage = taken.withLock { taken in
                defer { taken = MediaUsage() }
                return taken
            }
            quota.apply(usage, for: user)
        }

        private func giveBack(bytes: Int) {
            let usage = MediaUsage(bytes: Int64(bytes))
            taken.withLock { $0 = $0 - usage }
            quota.accounts.withLock { accounts in
                guard let account = accounts[user] else { return }
                accounts[user]?.reserved = account.reserved - usage
            }
        }

        deinit { quota.close(user, taken.withLock { $0 }) }
    }
}
