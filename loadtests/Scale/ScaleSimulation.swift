import RedisClient

/// Visits each follow of a network once, and adds up what the posts of a day bring to each bucket of readers.
///
/// Memory is four bytes a user and what the graph takes, whatever the number of follows. Parts of the users are visited
/// side by side and added in order, so the result does not depend on the number of processors.
package struct ScaleSimulation<Graph: FollowSource>: Sendable {
    private static var usersAtOnce: Int { 65_536 }

    let graph: Graph
    let workload: ScaleWorkload
    private let rates: PostingRates
    private let accounts: AccountIDs

    package init(_ graph: Graph, _ workload: ScaleWorkload) {
        self.graph = graph
        self.workload = workload
        rates = PostingRates(graph, workload)
        accounts = AccountIDs(users: graph.users, seed: workload.seed)
    }

    var totals: PostingTotals { rates.totals }

    /// The loads of all buckets, by number.
    package func bucketLoads() async -> [BucketLoad] {
        let starts = Array(stride(from: 0, to: graph.users, by: Self.usersAtOnce))
        return await withTaskGroup(of: (Int, [BucketLoad]).self) { group in
            for (part, start) in starts.enumerated() {
                group.addTask { (part, loads(of: start..<min(start + Self.usersAtOnce, graph.users))) }
            }
            var parts = [[BucketLoad]](repeating: [], count: starts.count)
            for await (part, loads) in group { parts[part] = loads }
            return parts.reduce(Self.nothing) { sums, loads in zip(sums, loads).map { $0.adding($1) } }
        }
    }

    private static var nothing: [BucketLoad] { Array(repeating: BucketLoad(), count: RedisBucket.count) }

    private func loads(of users: Range<Int>) -> [BucketLoad] {
        var loads = Self.nothing
        var followees: [Int] = []
        for user in users {
            graph.read(followeesOf: user, into: &followees)
            loads[Partitioning.bucket(of: accounts.id(of: user))] += load(of: user, followees)
        }
        return loads
    }

    private func load(of user: Int, _ followees: [Int]) -> BucketLoad {
        var (received, hubs) = (0.0, 0)
        for author in followees {
            let rate = rates.rate(of: author)
            if rate.isPulled { hubs += 1 } else { received += rate.postsPerDay }
        }
        var load = BucketLoad(users: 1, follows: followees.count)
        if hasWindow(user) {
            load.windows = 1
            load.entries = min(received * workload.historyDays, workload.windowCap)
            load.deliveriesPerDay = received
            load.hubFollows = hubs
        } else {
            load.missesPerDay = received
        }
        return load
    }

    /// Returns whether the user has read within 30 days.
    private func hasWindow(_ user: Int) -> Bool {
        var random = UserRandom(seed: ~workload.seed, user: user)
        return random.fraction() < workload.activeShare
    }
}
