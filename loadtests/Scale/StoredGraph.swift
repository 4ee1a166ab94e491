/// A graph whose follows are in memory: that of a file, or of a test.
package struct StoredGraph: FollowSource {
    private let followees: [[Int32]]
    private let followers: [Int32]

    /// - Parameter follows: Follower and followee. Repetitions, and users who follow themselves, are left out.
    package init(users: Int, follows: [(follower: Int, followee: Int)]) {
        var (followees, followers) = ([[Int32]](repeating: [], count: users), [Int32](repeating: 0, count: users))
        for follow in follows where follow.follower != follow.followee {
            followees[follow.follower].append(Int32(follow.followee))
        }
        for user in followees.indices {
            followees[user] = Set(followees[user]).sorted()
            for followee in followees[user] { followers[Int(followee)] += 1 }
        }
        (self.followees, self.followers) = (followees, followers)
    }

    package var users: Int { followees.count }

    package func read(followeesOf user: Int, into followees: inout [Int]) {
        followees.removeAll(keepingCapacity: true)
        for followee in self.followees[user] { followees.append(Int(followee)) }
    }

    package func followers(of user: Int) -> Double { Double(followers[user]) }
}
