import RedisClient
import SocialGraph

/// One Redis and its share of the windows, from a reader's side.
struct ReadableShard: Sendable {
    let number: ShardNumber
    let space: any ReadableSpace
    /// The connection of page reads. It is separate, so that they do not queue behind bulk pushes, which give way to
    /// them, and it has a shorter time-out.
    let connection: any WindowConnection
    let reader: WindowReader

    /// Returns whether windows of the shard are being read. Sends a command to Redis, since a frozen Redis keeps its
    /// connections.
    func answers() async -> Bool {
        guard space.keys != nil else { return false }
        return (try? await connection.send(RedisCommand("PING"), timeout: nil) { try $0.text }) == "PONG"
    }
}

/// All windows, distributed over shards by their readers' buckets, from a reader's side.
struct ReadableShards: Sendable {
    let all: [ReadableShard]

    /// - Parameter all: At least one shard, by index.
    init(_ all: [ReadableShard]) {
        precondition(!all.isEmpty)
        self.all = all
    }

    /// The index of the shard that holds the windows of `viewer`.
    func index(of viewer: UserID) -> Int {
        all.count == 1 ? 0 : WindowBucket(of: viewer).shard(among: all.count)
    }

    func shard(of viewer: UserID) -> ReadableShard { all[index(of: viewer)] }
    func reader(of viewer: UserID) -> WindowReader { all[index(of: viewer)].reader }
}
