import Algorithms
import Foundation
import Processes

/// The limit of fan-out on one Redis: posts are delivered to timelines by one script call for each batch of keys, four
/// calls in flight, over a unix socket, without other load. In a delivery, the timeline exists, the post is added, and
/// the timeline is trimmed to `cap` once it is `slack` past it. Scores are minus the id, so that the newest entry has
/// rank 0.
struct FanoutLimit {
    let timelines: Int
    let cap: Int
    /// Posts in each call; 1 is one by one.
    var coalescing = 1

    private static let batch = 500
    private static let inFlight = 4
    private static let slack = 64
    private static let firstID: Int64 = 6_400_000_000_000_000
    private static let nextID: Int64 = 6_800_000_000_000_000

    private static let script = """
        local cap, slack = tonumber(ARGV[1]), tonumber(ARGV[2]) local entries = {} \
        for j = 3, #ARGV do entries[#entries + 1] = -tonumber(ARGV[j]) entries[#entries + 1] = ARGV[j] end \
        for i = 1, #KEYS do local n = redis.call('ZCARD', KEYS[i]) \
        if n > 0 then redis.call('ZADD', KEYS[i], unpack(entries)) \
        if n >= cap + slack then redis.call('ZREMRANGEBYRANK', KEYS[i], cap, -1) end end end return 1
        """

    /// Returns deliveries a second of `posts` to all timelines, which are already full, on a redis-server of its own.
    func measure(posts: Int) throws -> Double {
        let directory = try Scratch.directory("limit")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let socket = directory + "/redis.sock"
        let redis = try ChildProcess(
            Program.find("redis-server"),
            [
                "--port", "0", "--unixsocket", socket, "--save", "", "--zset-max-listpack-entries",
                "\(cap + Self.slack + coalescing)",
            ])
        defer { redis.stop(signal: SIGKILL) }
        while !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        var peer = try RawRedis(socket: socket)
        defer { peer.close() }
        let keys = (0..<timelines).map { "h:\($0 * 7)" }
        try fill(keys, &peer)
        return try deliver(posts, keys, &peer)
    }

    private func fill(_ keys: [String], _ peer: inout RawRedis) throws {
        let entries = (0...cap).flatMap { place in
            ["-\(Self.firstID + Int64(place))", "\(Self.firstID + Int64(place))"]
        }
        for part in keys.chunks(ofCount: Self.batch) {
            for key in part { try peer.send(RawRedis.command(["ZADD", key] + entries)) }
            try peer.receive(part.count)
        }
    }

    private func deliver(_ posts: Int, _ keys: [String], _ peer: inout RawRedis) throws -> Double {
        try peer.send(RawRedis.command(["SCRIPT", "LOAD", Self.script]))
        let sha = try peer.text()
        var (deliveries, flying) = (0, 0)
        let start = ContinuousClock.now
        for first in stride(from: 0, to: posts, by: coalescing) {
            let ids = (0..<coalescing).map { "\(Self.nextID + Int64(first + $0))" }
            for part in keys.chunks(ofCount: Self.batch) {
                let command = ["EVALSHA", sha, "\(part.count)"] + part + ["\(cap)", "\(Self.slack)"] + ids
                try peer.send(RawRedis.command(command))
                deliveries += part.count * coalescing
                flying += 1
                if flying == Self.inFlight {
                    try peer.receive(flying)
                    flying = 0
                }
            }
        }
        try peer.receive(flying)
        return Double(deliveries) / (start.duration(to: .now) / .seconds(1))
    }
}
