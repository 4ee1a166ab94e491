import Database
import SocialGraph
import Text

/// Limits on guessing a password: a number of wrong ones for one account from one address within a time, whether or not
/// the account exists.
extension PasswordHasher {
    /// Judges a log-in. An attempt counts while it is judged, so that many at once are no more than one after another;
    /// a right password clears the count.
    ///
    /// - Parameters:
    ///   - account: names the account, which need not exist.
    ///   - budget: counts the wrong ones.
    ///   - isKnown: true if the account has been used from there before. A right password from such an address is
    ///     accepted also when the count is full.
    /// - Throws: `Problem` 429 `rate_limited`; the errors of `judge`, which do not count.
    package func judgeGuess(
        _ account: AccountKey, from address: AddressBlock, against budget: RateBudget = .wrongPasswords,
        isKnown: () async throws -> Bool = { false }, _ judge: () async throws -> Bool
    ) async throws -> Bool {
        let holder = BudgetHolder.account(account, from: address)
        var (receipt, refusal): (RateReceipt?, Problem?)
        do {
            receipt = try budgets.spend(budget, of: holder)
        } catch let problem as Problem {
            guard try await isKnown() else { throw problem }
            refusal = problem
        }
        let isRight: Bool
        do {
            isRight = try await judge()
        } catch {
            budgets.takeBack(receipt)
            throw error
        }
        if isRight { budgets.clear(budget, of: holder) } else if let refusal { throw refusal }
        return isRight
    }
}

extension AccountKey {
    /// Key of the account that an email address names.
    package init(email: String) {
        // A longer one belongs to nobody and is not worth folding.
        self.init(email.utf8.count <= RequestLimits.emailLength ? NameFolding.key(email) : email)
    }
}

extension AddressBlock {
    /// Key of an address stored for `user`.
    package func digest(for user: UserID) -> [UInt8] { AccountKey("\(user.rawValue) \(self)").bytes }
}
