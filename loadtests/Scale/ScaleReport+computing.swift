extension ScaleSimulation {
    /// Visits all follows, and tells what the network needs on these nodes and masters.
    package func report(_ partitioning: Partitioning) async -> ScaleReport {
        ScaleReport(await bucketLoads(), totals, workload, partitioning)
    }
}

extension ScaleReport {
    init(_ buckets: [BucketLoad], _ posts: PostingTotals, _ workload: ScaleWorkload, _ partitioning: Partitioning) {
        let total = buckets.total
        let byMaster = buckets.by(partitioning.masters, partitioning.master)
        let deliveries = Deliveries(buckets, byMaster, workload, partitioning)
        let queue = DeliveryQueue(posts, total, deliveries, partitioning)
        let audience = posts.pushed > 0 ? posts.offered / posts.pushed : 0
        users = total.users
        follows = total.follows
        nodes = partitioning.nodes
        masters = partitioning.masters
        self.workload = workload
        postsPerSecond = workload.postsPerDay / ScaleWorkload.secondsPerDay
        pagesPerSecond =
            Double(users) * workload.dailyShare * workload.pagesPerReader / ScaleWorkload.secondsPerDay
        meanAudience = audience
        self.deliveries = deliveries
        windows = Windows(total, byMaster, workload)
        hubs = Hubs(posts, total, workload)
        lag = Lag(queue, posts)
        lagAtPeak = Lag(queue.times(workload.peakFactor), posts)
        coresAtPeak = Cores(
            queue.times(workload.peakFactor), posts: postsPerSecond * workload.peakFactor,
            pages: pagesPerSecond * workload.peakFactor)
        database = Self.rows(users: users, follows: follows, workload)
        databaseBytes = database.values.map(\.bytes).sorted().reduce(0, +)
    }

    /// Likes, comments and notifications of 90 days are those of docs/operations/sizing.md.
    private static func rows(users: Int, follows: Int, _ workload: ScaleWorkload) -> [String: Rows] {
        func rows(_ number: Double, _ bytes: Double) -> Rows { Rows(rows: number, bytes: number * bytes) }
        let users = Double(users)
        return [
            "users": rows(users, MeasuredCosts.user),
            "follows": rows(Double(follows), MeasuredCosts.follow),
            "posts": rows(workload.postsPerDay * workload.historyDays, MeasuredCosts.post),
            "likes": rows(100 * users, MeasuredCosts.like),
            "comments": rows(10 * users, MeasuredCosts.comment),
            "notifications": rows(60 * users, MeasuredCosts.notification),
        ]
    }
}

extension ScaleReport.Deliveries {
    fileprivate init(
        _ buckets: [BucketLoad], _ byMaster: [BucketLoad], _ workload: ScaleWorkload, _ partitioning: Partitioning
    ) {
        func spread(_ loads: [BucketLoad]) -> ScaleReport.Spread {
            ScaleReport.Spread(loads.map { $0.deliveriesPerDay / ScaleWorkload.secondsPerDay })
        }
        total = buckets.total.deliveriesPerDay / ScaleWorkload.secondsPerDay
        atPeak = total * workload.peakFactor
        byNode = spread(buckets.by(partitioning.nodes, partitioning.node))
        self.byMaster = spread(byMaster)
        byGroup = spread(buckets.by(Partitioning.groups, Partitioning.group))
        byBucket = spread(buckets)
    }
}

extension ScaleReport.Windows {
    fileprivate init(_ total: BucketLoad, _ byMaster: [BucketLoad], _ workload: ScaleWorkload) {
        let entryBytes = MeasuredCosts.fullWindow / MeasuredCosts.fullWindowEntries * MeasuredCosts.allocator
        number = total.windows
        entries = total.entries
        bytes = total.entries * entryBytes
        bytesByMaster = ScaleReport.Spread(byMaster.map { $0.entries * entryBytes })
    }
}

extension ScaleReport.Hubs {
    fileprivate init(_ posts: PostingTotals, _ total: BucketLoad, _ workload: ScaleWorkload) {
        authors = posts.hubs
        shareOfPosts = workload.postsPerDay > 0 ? posts.pulled / workload.postsPerDay : 0
        followedByReader = total.windows > 0 ? Double(total.hubFollows) / Double(total.windows) : 0
        mostFollowers = posts.largest
    }
}

extension ScaleReport.Lag {
    fileprivate init(_ queue: DeliveryQueue, _ posts: PostingTotals) {
        meanAudience = queue.lag(audience: queue.audience)
        largestPushed = queue.lag(audience: posts.largestPushed)
        largestOfAll = queue.lag(audience: posts.largest)
        utilisation = queue.utilisation
    }
}

extension ScaleReport.Cores {
    fileprivate init(_ queue: DeliveryQueue, posts: Double, pages: Double) {
        nodes =
            posts * MeasuredCosts.nodePost + pages * MeasuredCosts.nodePage
            + queue.followersPerSecond * MeasuredCosts.nodeDelivery
        masters = queue.redisUtilisation + pages * MeasuredCosts.redisPage
        database = posts * MeasuredCosts.databasePost + (posts + pages) * MeasuredCosts.databaseLook
    }
}

extension DeliveryQueue {
    fileprivate init(
        _ posts: PostingTotals, _ total: BucketLoad, _ deliveries: ScaleReport.Deliveries, _ partitioning: Partitioning
    ) {
        let offered = total.deliveriesPerDay + total.missesPerDay
        self.init(
            postsPerSecond: posts.pushed / ScaleWorkload.secondsPerDay,
            audience: posts.pushed > 0 ? posts.offered / posts.pushed : 0,
            windowShare: offered > 0 ? total.deliveriesPerDay / offered : 0,
            masterShare: deliveries.byMaster.imbalance / Double(partitioning.masters),
            nodeShare: deliveries.byNode.imbalance / Double(partitioning.nodes))
    }

    fileprivate func times(_ factor: Double) -> DeliveryQueue {
        DeliveryQueue(
            postsPerSecond: postsPerSecond * factor, audience: audience, windowShare: windowShare,
            masterShare: masterShare, nodeShare: nodeShare)
    }
}
