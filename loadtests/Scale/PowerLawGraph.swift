import Foundation

/// A graph that is drawn anew each time it is read, so it takes no memory.
///
/// User u is the author of rank u + 1, who has followers in proportion to rank^-exponent (Chung and Lu, 2002).
/// Numbers of followees are log-normal. A followee that is drawn twice counts once. The follows of a user depend on the
/// seed and the user only.
package struct PowerLawGraph: FollowSource {
    /// Nobody follows more users than this.
    package static let mostFollowees = 10_000

    package let users: Int
    private let followees: Double
    private let spread: Double
    private let seed: UInt64
    /// 1 - exponent, and the integral of x^-exponent over all ranks times that.
    private let power: Double
    private let span: Double

    /// - Parameters:
    ///   - followees: Mean number of followees.
    ///   - exponent: Exponent of the rank, above 0 and below 1.
    ///   - spread: Standard deviation of the logarithm of the number of followees.
    /// - Precondition: there are at least two users, and `exponent` is in its range.
    package init(users: Int, followees: Double, exponent: Double, spread: Double, seed: UInt64) {
        precondition(users > 1 && exponent > 0 && exponent < 1, "a power law has users and an exponent from 0 to 1")
        self.users = users
        self.followees = followees
        self.spread = spread
        self.seed = seed
        power = 1 - exponent
        span = pow(Double(users) + 1, power) - 1
    }

    package func read(followeesOf user: Int, into followees: inout [Int]) {
        followees.removeAll(keepingCapacity: true)
        var random = UserRandom(seed: seed, user: user)
        for _ in 0..<numberOfFollowees(&random) {
            let author = author(at: random.fraction())
            if author != user { followees.append(author) }
        }
        followees.removeRepetitions()
    }

    package func followers(of user: Int) -> Double {
        let rank = Double(user) + 1
        return Double(users) * followees * (pow(rank + 1, power) - pow(rank, power)) / span
    }

    private func numberOfFollowees(_ random: inout UserRandom) -> Int {
        let number = followees * exp(spread * random.normal() - spread * spread / 2)
        return Int(min(number.rounded(), Double(min(Self.mostFollowees, users - 1))))
    }

    /// The author at a fraction of all follows, which are in the order of their authors' ranks.
    private func author(at fraction: Double) -> Int {
        min(Int(pow(span * fraction + 1, 1 / power)) - 1, users - 1)
    }
}

extension [Int] {
    fileprivate mutating func removeRepetitions() {
        sort()
        var kept = 0
        for index in indices where index == 0 || self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeSubrange(kept...)
    }
}
