import Foundation

/// Posts a day of each author. Takes four bytes a user.
struct PostingRates: Sendable {
    /// Posts a day; of a hub, whose posts are pulled, negative.
    private let rates: [Float]
    let totals: PostingTotals

    init(_ graph: some FollowSource, _ workload: ScaleWorkload) {
        var (weights, sum) = ([Float](repeating: 0, count: graph.users), 0.0)
        for user in 0..<graph.users {
            let followers = graph.followers(of: user)
            let weight = followers > 0 ? pow(followers, workload.popularity) : 0
            sum += weight
            weights[user] = Float(workload.isHub(followers: followers) ? -weight : weight)
        }
        let scale = sum > 0 ? workload.postsPerDay / sum : 0
        var totals = PostingTotals()
        for user in weights.indices {
            weights[user] = Float(Double(weights[user]) * scale)
            totals.add(Double(weights[user].magnitude), graph.followers(of: user), isHub: weights[user] < 0)
        }
        (rates, self.totals) = (weights, totals)
    }

    /// Posts a day, and whether they are pulled.
    func rate(of author: Int) -> (postsPerDay: Double, isPulled: Bool) {
        let rate = Double(rates[author])
        return (abs(rate), rate < 0)
    }
}

/// Sums over all authors.
struct PostingTotals: Sendable {
    private(set) var hubs = 0
    /// Posts a day that are delivered to windows, and those that are pulled.
    private(set) var pushed = 0.0
    private(set) var pulled = 0.0
    /// Sum of posts a day times followers, over authors whose posts are pushed.
    private(set) var offered = 0.0
    /// Most followers of an author whose posts are pushed, and of anybody.
    private(set) var largestPushed = 0.0
    private(set) var largest = 0.0

    mutating func add(_ postsPerDay: Double, _ followers: Double, isHub: Bool) {
        largest = max(largest, followers)
        if isHub {
            hubs += 1
            pulled += postsPerDay
        } else {
            pushed += postsPerDay
            offered += postsPerDay * followers
            largestPushed = max(largestPushed, followers)
        }
    }
}
