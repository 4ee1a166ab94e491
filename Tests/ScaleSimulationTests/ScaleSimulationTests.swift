import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import ScaleSimulation

@Suite(.timeLimit(.unit))
struct ScaleSimulationTests {
    /// User 0 has three followers, 1 has two, 2 has one; nobody follows 3.
    private static let follows = [(1, 0), (2, 0), (3, 0), (0, 1), (3, 1), (3, 2), (3, 2), (3, 3)]
    private static let graph = StoredGraph(users: 4, follows: follows.map { (follower: $0.0, followee: $0.1) })

    private static func workload(_ change: (inout ScaleWorkload) -> Void = { _ in }) -> ScaleWorkload {
        var workload = ScaleWorkload()
        (workload.postsPerDay, workload.activeShare) = (6, 1)
        change(&workload)
        return workload
    }

    private static func drawn(_ users: Int, seed: UInt64 = 7) -> PowerLawGraph {
        PowerLawGraph(users: users, followees: 9, exponent: 0.8, spread: 1.3, seed: seed)
    }

    @Test
    func `deliveries of a small graph are exact`() async {
        // Posts a day are in proportion to followers: 3, 2 and 1, delivered to as many readers.
        let total = await ScaleSimulation(Self.graph, Self.workload()).bucketLoads().total
        #expect(total.deliveriesPerDay == 3 * 3 + 2 * 2 + 1)
        #expect((total.users, total.windows, total.follows) == (4, 4, 6))
        #expect(total.missesPerDay == 0)
    }

    @Test
    func `posts of hubs are pulled`() async {
        let simulation = ScaleSimulation(Self.graph, Self.workload { $0.hubThreshold = 2 })
        let total = await simulation.bucketLoads().total
        #expect(total.deliveriesPerDay == 2 * 2 + 1)
        #expect(total.hubFollows == 3)
        #expect((simulation.totals.hubs, simulation.totals.pulled, simulation.totals.largestPushed) == (1, 3, 2))
    }

    @Test
    func `readers without windows get nothing`() async {
        let total = await ScaleSimulation(Self.graph, Self.workload { $0.activeShare = 0 }).bucketLoads().total
        #expect((total.windows, total.deliveriesPerDay, total.entries) == (0, 0, 0))
        #expect(total.missesPerDay == 14)
    }

    @Test
    func `windows are full at the cap`() async {
        let workload = Self.workload { ($0.historyDays, $0.windowCap) = (2, 7) }
        let total = await ScaleSimulation(Self.graph, workload).bucketLoads().total
        // A day brings 2, 3, 3 and 6 posts to the four.
        #expect(total.entries == 4 + 6 + 6 + 7)
    }

    @Test
    func `a generated graph has the follows that its buckets are told`() async {
        let graph = Self.drawn(3_000)
        let workload = Self.workload { ($0.postsPerDay, $0.activeShare, $0.hubThreshold) = (600, 0.5, 300) }
        let simulation = ScaleSimulation(graph, workload)
        let loads = await simulation.bucketLoads()
        let rates = PostingRates(graph, workload)
        let accounts = AccountIDs(users: graph.users, seed: workload.seed)
        var (expected, followees) = ([Double](repeating: 0, count: RedisBucket.count), [Int]())
        for user in 0..<graph.users {
            graph.read(followeesOf: user, into: &followees)
            #expect(Set(followees).count == followees.count && !followees.contains(user))
            for author in followees where !workload.isHub(followers: graph.followers(of: author)) {
                expected[WindowBucket(of: accounts.id(of: user)).number] += rates.rate(of: author).postsPerDay
            }
        }
        for (load, offered) in zip(loads, expected) {
            #expect(abs(load.deliveriesPerDay + load.missesPerDay - offered) < 1e-9 * max(offered, 1))
        }
        #expect(loads.total.users == 3_000)
        #expect((1_300...1_700).contains(loads.total.windows))
    }

    @Test
    func `drawn followers have their expected number`() {
        let graph = Self.drawn(20_000)
        var (counts, followees) = ([Int](repeating: 0, count: graph.users), [Int]())
        for user in 0..<graph.users {
            graph.read(followeesOf: user, into: &followees)
            for author in followees { counts[author] += 1 }
        }
        for author in [0, 1, 5, 20] {
            let expected = graph.followers(of: author)
            // Five standard deviations, and what is drawn twice.
            #expect(Double(counts[author]) > expected * 0.8 - 5 * expected.squareRoot(), "\(author)")
            #expect(Double(counts[author]) < expected + 5 * expected.squareRoot(), "\(author)")
        }
        let all = (0..<graph.users).map(graph.followers(of:)).reduce(0, +)
        #expect(abs(all - 180_000) < 1)
    }

    @Test
    func `the same seed gives the same report, another one another`() async {
        let partitioning = Partitioning(nodes: 3, masters: 3)
        let workload = Self.workload { ($0.postsPerDay, $0.activeShare) = (40_000, 0.5) }
        let first = await ScaleSimulation(Self.drawn(200_000), workload).report(partitioning)
        let again = await ScaleSimulation(Self.drawn(200_000), workload).report(partitioning)
        let other = await ScaleSimulation(Self.drawn(200_000, seed: 8), workload).report(partitioning)
        #expect(first == again)
        #expect(first != other)
        #expect(first.deliveries.byGroup.imbalance < 1.2)
        #expect(abs(first.deliveries.byMaster.mean * 3 - first.deliveries.total) < 1e-6)
    }
}
