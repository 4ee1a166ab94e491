/// Who follows whom. Users are numbered from 0.
package protocol FollowSource: Sendable {
    var users: Int { get }

    /// Replaces the content of `followees` with the users that `user` follows, each once.
    func read(followeesOf user: Int, into followees: inout [Int])

    /// Number of followers of a user; the expected number where follows are drawn.
    func followers(of user: Int) -> Double
}
