/// Processor time and bytes by which loads become machines. Each was measured, on two virtual cores; the comments name
/// where.
enum MeasuredCosts {
    /// A call of the push script, and an entry that it appends to a tail: 4.8 µs an entry at 16 windows a call, 3.4
    /// at 78 and 3.0 at 500 before there were tails give 29 µs a call; tails made an entry 1.15 µs at 500 windows a
    /// call (docs/decisions/0057-tails.md).
    static let redisCall = 29e-6
    static let redisAppend = 1.1e-6
    /// A reader without a window: four of them beside an append take 3.1 µs together (0057).
    static let redisMiss = 0.5e-6
    /// A page from a window (docs/decisions/0058-recent-windows.md).
    static let redisPage = 16e-6

    /// graphd's share of a delivery: all of 2 cores at 782,000 deliveries/s, of which Redis and PostgreSQL took some
    /// (docs/decisions/0063-one-node-on-postgresql.md).
    static let nodeDelivery = 2.6e-6
    /// A post (docs/decisions/0065-groups-of-posts.md) and a page of the real graph (docs/measurements/0004-ratios.md).
    static let nodePost = 640e-6
    static let nodePage = 244e-6
    /// The server's share of a post (0065), and of a request's look at the change log, which may be shared by several.
    static let databasePost = 490e-6
    static let databaseLook = 50e-6

    /// A batch of pushes, before its first delivery: 6 ms until a post reaches 1,000 followers, less the 3.8 ms of its
    /// commit (docs/performance/figures.md, docs/measurements/0004-ratios.md).
    static let batchOverhead = 2e-3

    /// Bytes of a window of 128 entries with its tail, and what the allocator adds (0057, 0007).
    static let fullWindow = 4_700.0
    static let fullWindowEntries = 128.0
    static let allocator = 1.16

    /// Bytes of rows with their indexes (docs/measurements/0007-sizes.md, docs/operations/sizing.md).
    static let user = 1_000.0
    static let follow = 98.0
    static let post = 1_400.0
    static let like = 158.0
    static let comment = 259.0
    static let notification = 355.0
}
