import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowDumpTests {
    /// Tests each kind of integer that a listpack has, at both ends of its range.
    @Test(.redisServer)
    func `a dump is what Redis itself dumps of the same window`() async throws {
        let edges: [Int64] = [
            1, 127, 128, 4_095, 4_096, 0x7FFF, 0x8000, 0x7F_FFFF, 0x80_0000, 0x7FFF_FFFF, 0x8000_0000,
            (1 << 53) - 1,
        ]
        var random = SplitMix64(seed: 53)
        let long = (0..<160).map {
            1_700_000_000_000_000 + Int64($0) * 1_000 + Int64.random(in: 0..<1_000, using: &random)
        }
        try await withWindows(cap: 200) { windows async throws in
            try await windows.run(RedisCommand("CONFIG", ["SET", "rdbcompression", "no"]))
            try await windows.run(RedisCommand("CONFIG", ["SET", "zset-max-listpack-entries", "256"]))
            for posts in [[], edges, long] {
                for isComplete in [true, false] where isComplete || !posts.isEmpty {
                    let entries: [FeedEntry] = posts.reversed().enumerated().map { place, post in
                        // At the post's own position, or at that of a reshare.
                        place.isMultiple(of: 3) ? at(post) : reshared(post / 2 + 1, at: post)
                    }
                    var arguments = entries.flatMap { ["\(-$0.position.rawValue)", "\($0.post.rawValue)"] }
                    if isComplete { arguments += ["0", "0"] }
                    try await windows.run(RedisCommand("DEL", ["theirs"]))
                    try await windows.run(RedisCommand("ZADD", ["theirs"] + arguments))
                    let theirs = try await windows.dump("theirs")
                    let ours = try #require(WindowDump.dump(of: entries, isComplete: isComplete))
                    #expect(Self.sortedSet(ours) == Self.sortedSet(theirs))
                    // Redis checks the version and the checksum.
                    var restore = RedisCommand("RESTORE", ["ours", "0"])
                    restore.append(ours)
                    restore.append("REPLACE")
                    try await windows.run(restore)
                    #expect(try await windows.dump("ours") == theirs)
                }
            }
        }
    }

    @Test
    func `what is out of order is not dumped`() {
        #expect(WindowDump.dump(of: [at(1), at(2)], isComplete: true) == nil)
        #expect(WindowDump.dump(of: [reshared(1, at: 5), reshared(2, at: 5)], isComplete: true) == nil)
    }

    @Test
    func `a tail that has the newest posts is dumped without the sorted set, any other is not`() throws {
        func dump(_ entries: [FeedEntry], newest cap: Int, above top: Int64) -> [UInt8]? {
            WindowDump.dump(
                ofTail: Array("stamp123".utf8) + WindowTail.words(of: entries), newest: cap,
                above: FeedPosition(rawValue: top))
        }
        var random = SplitMix64(seed: 7)
        for first in [1, 1 << 31, (1 << 53) - 1_000] as [Int64] {
            let posts = (0..<100).map { at(first + $0 * 3) }
            for cap in [1, 16, 99, 100] {
                let expected = WindowDump.dump(of: posts.reversed().prefix(cap).map(\.self), isComplete: false)
                let oldest = posts[100 - cap].position.rawValue
                // In order; as batches of two nodes; in any order, some of them twice.
                let shuffled = (posts + posts.prefix(20)).shuffled(using: &random)
                for tail in [posts, Array(posts[50...] + posts[..<50]), shuffled] {
                    #expect(dump(tail, newest: cap, above: oldest - 1) == expected)
                    #expect(dump(tail, newest: cap, above: oldest) == nil, "the sorted set has one of the newest")
                }
            }
            #expect(dump(posts, newest: 101, above: 0) == nil, "too few")
            #expect(dump(posts + [posts[99]], newest: 101, above: 0) == nil, "too few, one of them twice")
            #expect(dump(posts + [reshared(1, at: first + 400)], newest: 16, above: 0) == nil, "a reshare")
            #expect(dump([reshared(1, at: first + 1)] + posts, newest: 16, above: 0) == nil, "a reshare")
        }
        #expect(WindowDump.dump(ofTail: [1, 2, 3], newest: 1, above: .beginning) == nil)
    }

    @Test(.redisServer)
    func `where Redis refuses dumps, windows are built of their posts`() async throws {
        try await withWindows { windows async throws in
            try await windows.run(RedisCommand("ACL", ["SETUSER", "default", "-restore", "-dump"]))
            let full = (0..<16).map { at(200 - Int64($0)) }
            for snapshot in [[], [at(10)], full] {
                #expect(try await windows.writer.build(viewer) { snapshot } == .ready)
                let posts = snapshot.map(\.post.rawValue)
                #expect(try await windows.members(viewer) == (snapshot.count < 16 ? posts + [0] : posts))
            }
            #expect(try await windows.floor(viewer) == 185)
            let end = 300 + windows.fullTail(viewer)
            for post in 300..<end { try await windows.push([post], [viewer]) }
            #expect(try await windows.sortedSet(viewer).map(\.post.rawValue) == (1...16).map { end - $0 })
        }
    }

    @Test(.redisServer)
    func `a window that was handed over takes pushes, is trimmed, and is forgotten when idle`() async throws {
        try await withWindows(idle: .seconds(10_000)) { windows async throws in
            try await windows.makeWindow(viewer, [10, 20, 30])
            let seconds = try await windows.integer(RedisCommand("TTL", [windows.window(viewer)]))
            #expect((9_000...10_000).contains(seconds))
            let encoding = try await windows.text(RedisCommand("OBJECT", ["ENCODING", windows.window(viewer)]))
            #expect(encoding == "listpack")
            #expect(try await windows.push([25, 40, 20], [viewer]) == 3)
            #expect(try await windows.members(viewer) == [40, 30, 25, 20, 10, 0])
            #expect(try await windows.writer.remove([PostID(rawValue: 30)], from: [viewer]) == 1)
            #expect(try await windows.members(viewer) == [40, 25, 20, 10, 0])
        }
    }

    /// The dump without the format version, which depends on the Redis version, and without the checksum that includes
    /// it. Redis writes lengths below 16,384 in fewer bytes.
    private static func sortedSet(_ dump: [UInt8]) -> [UInt8] {
        let content = dump.dropLast(10)
        let header =
            switch dump[1] >> 6 {
            case 0: 2
            case 1: 3
            default: 6
            }
        return [dump[0]] + content.dropFirst(header)
    }
}

extension WindowFixture {
    fileprivate func dump(_ key: String) async throws -> [UInt8] {
        try await connection.send(RedisCommand("DUMP", [key])) { try $0.withBytes(Array.init) }
    }

    fileprivate func run(_ command: RedisCommand) async throws {
        try await connection.send(command) { try $0.throwIfError() }
    }
}
