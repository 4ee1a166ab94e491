import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

/// The window layer over the test's redis-server, without a graph.
struct WindowFixture: Sendable {
    let connection: RedisConnection
    let space: WindowSpace
    let writer: WindowWriter
    let settings: StoredSettings

    /// The windows as fan-out sees them.
    var shards: WindowShards {
        WindowShards([
            WindowShard(
                number: .only, space: space, writing: connection, reading: connection, writer: writer,
                reader: WindowReader(connection: connection, space: space))
        ])
    }

    var generation: String { space.keys?.generation ?? "" }
    private var path: String { space.keys?.path ?? "" }
    var state: String { "s:\(path)" }

    func window(_ viewer: UserID) -> String { "h:\(path):\(viewer.rawValue)" }
    func tail(_ viewer: UserID) -> String { "t:\(path):\(viewer.rawValue)" }

    /// The number of entries at which the tail of `viewer` is full, if none stands at the place of a reshare.
    func fullTail(_ viewer: UserID, _ depth: WindowDepth? = nil) -> Int64 {
        let digits = tail(viewer).utf8.suffix(3).reduce(0) { $0 * 10 + Int($1) }
        let limit = Double((depth ?? writer.depth).tailBytes)
        return Int64(((limit + Double(digits % 61) * limit / 130 - 8) / 8).rounded(.up))
    }

    /// The entries of a whole window, by rank: of the sorted set, with the sentinel as post 0, and those of the tail
    /// above its end. Each post stands at its smallest position. Empty without a window.
    private func contents(_ viewer: UserID) async throws -> [FeedEntry] {
        let sorted = try await sortedSet(viewer)
        guard let floor = sorted.last?.position, let waiting = try await waiting(viewer) else { return [] }
        let first = Dictionary((sorted + waiting).map { ($0.post, $0.position) }, uniquingKeysWith: min)
        return first.map { FeedEntry(position: $1, post: $0) }.filter { $0.position >= floor }
            .sorted { $0.position > $1.position }
    }

    /// The sorted set by rank, with the sentinel.
    func sortedSet(_ viewer: UserID) async throws -> [FeedEntry] {
        try await connection.send(RedisCommand("ZRANGE", [window(viewer), "0", "-1", "WITHSCORES"])) { reply in
            try stride(from: 0, to: reply.count, by: 2).map { index in
                reshared(try reply[index].int64, at: -(try reply[index + 1].int64))
            }
        }
    }

    /// The entries of the tail in order of arrival; nil without one.
    func waiting(_ viewer: UserID) async throws -> [FeedEntry]? {
        try await connection.send(RedisCommand("GET", [tail(viewer)])) { reply in
            if reply.isNull { return nil }
            let words = try reply.withBytes { bytes in
                stride(from: 8, to: bytes.count, by: 8).map { start in
                    bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                }
            }
            var entries: [FeedEntry] = []
            var position: Int64?
            for word in words {
                if word >= 1 << 63 {
                    position = Int64(word - (1 << 63))
                } else {
                    entries.append(reshared(Int64(word), at: position ?? Int64(word)))
                    position = nil
                }
            }
            return entries
        }
    }

    /// Members by rank, the sentinel as 0; empty without a window.
    func members(_ viewer: UserID) async throws -> [Int64] { try await contents(viewer).map(\.post.rawValue) }

    func members(_ viewers: [UserID]) async throws -> [[Int64]] {
        var all: [[Int64]] = []
        for viewer in viewers { all.append(try await members(viewer)) }
        return all
    }

    /// Deletes the matching keys, as if Redis had evicted them.
    func delete(_ pattern: String) async throws {
        let keys = try await connection.send(RedisCommand("KEYS", [pattern])) { reply in
            try (0..<reply.count).map { try reply[$0].text }
        }
        #expect(try await integer(RedisCommand("DEL", keys)) == 1)
    }

    /// Entries by rank as "post" or "post@position", the sentinel as "0"; empty without a window.
    func entries(_ viewer: UserID) async throws -> [String] {
        try await contents(viewer).map { entry in
            let (post, position) = (entry.post.rawValue, entry.position.rawValue)
            return post == position ? "\(post)" : "\(post)@\(position)"
        }
    }

    /// Expects that a window holds, from its last entry up, everything that it was ever offered.
    func expectEverything(_ offered: OfferedEntries, in viewer: UserID) async throws {
        let known = try #require(offered.first[viewer])
        let held = try await entries(viewer)
        let last = try #require(held.last)
        let floor = last == "0" ? 0 : try #require(Int64(last.split(separator: "@").last ?? ""))
        #expect(floor == 0 || held.count >= 16)
        #expect(held.count <= 16 + WindowDepth.defaultSlack * 3 / 2 + PushBatch.postsPerCall)
        let expected = known.filter { $0.value >= floor }.map { post, position in
            post == position ? "\(post)" : "\(post)@\(position)"
        }
        let difference = Set(held.filter { $0 != "0" }).symmetricDifference(expected)
        #expect(difference.isEmpty)
    }

    func text(_ command: RedisCommand) async throws -> String? {
        try await connection.send(command) { $0.isNull ? nil : try $0.text }
    }

    func integer(_ command: RedisCommand) async throws -> Int64 {
        try await connection.send(command) { try $0.integer }
    }

    /// The position of the last entry of the sorted set.
    func floor(_ viewer: UserID) async throws -> Int64? { try await sortedSet(viewer).last?.position.rawValue }

    /// A ready window of `posts`: complete to the beginning if they are fewer than the cap.
    func makeWindow(_ viewer: UserID, _ posts: [Int64]) async throws {
        try await makeWindow(viewer, entries: posts.map(at))
    }

    func makeWindow(_ viewer: UserID, entries: [FeedEntry]) async throws {
        let snapshot = entries.sorted { $0.position > $1.position }
        #expect(try await writer.build(viewer) { snapshot } == .ready)
    }

    @discardableResult
    func push(_ posts: [Int64], _ viewers: [UserID]) async throws -> Int {
        try await writer.push(posts.map(at), to: viewers)
    }
}

/// A post at its own place.
func at(_ post: Int64) -> FeedEntry { FeedEntry(PostID(rawValue: post)) }

/// A post at the place of a reshare.
func reshared(_ post: Int64, at position: Int64) -> FeedEntry {
    FeedEntry(position: FeedPosition(rawValue: position), post: PostID(rawValue: post))
}

/// The settings of a data directory, in memory.
final class StoredSettings: GenerationStoring {
    private let values = Mutex<[String: String]>([:])

    func setting(_ name: String) async throws -> String? { values.withLock { $0[name] } }
    func store(_ settings: [String: String], under lease: LeaseStamp) async throws {
        values.withLock { $0.merge(settings) { _, new in new } }
    }
}

/// Random entries, and what each of some windows was offered of them.
struct OfferedEntries {
    /// The posts that each window was offered, with the first position of each.
    private(set) var first: [UserID: [Int64: Int64]] = [:]
    private var newest: Int64 = 1_000

    /// - Parameter viewers: those who have a window.
    init(to viewers: [UserID]) { for viewer in viewers { first[viewer] = [:] } }

    /// One to four entries: mostly new posts, some late ones, half of them at the place of a reshare.
    mutating func next(_ random: inout SplitMix64) -> [FeedEntry] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            newest += 4
            let isLate = Int.random(in: 0..<6, using: &random) == 0
            let post = isLate ? newest - 4 * Int64.random(in: 1...200, using: &random) : newest
            return Bool.random(using: &random) ? at(post) : reshared(post, at: post + 1)
        }
    }

    /// Returns the number of entries that windows are offered.
    mutating func offer(_ entries: [FeedEntry], to viewers: [UserID]) -> Int {
        let viewers = viewers.filter { first[$0] != nil }
        for viewer in viewers {
            for entry in entries {
                let (post, position) = (entry.post.rawValue, entry.position.rawValue)
                let known = first[viewer]?[post] ?? .max
                first[viewer]?[post] = min(known, position)
            }
        }
        return entries.count * viewers.count
    }
}

/// Runs `body` over a connection that has established its windows.
func withWindows<T: Sendable>(
    cap: Int = 16, idle: Duration = IdleWindows.defaultIdle, settings: StoredSettings = StoredSettings(),
    leaseEpoch: Int64 = 1, shard: ShardNumber = .only, recent: RecentWindows? = nil,
    mayWrite: @escaping @Sendable () -> Bool = { true },
    _ body: @Sendable (WindowFixture) async throws -> T
) async throws -> T {
    let server = try #require(RedisServer.current)
    var configuration = server.configuration
    configuration.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(20))
    // A stalled server is resumed by the test, however busy the machine is.
    configuration.commandTimeout = .seconds(60)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let space = WindowSpace(
        graph: settings, lease: .outbox(leaseEpoch), shard: shard, recent: recent, mayWrite: mayWrite, logger: logger)
    return try await withConnection(
        configuration, onHandshake: { try await space.establish(over: $0, runID: $0.runID) }
    ) { connection in
        let writer = WindowWriter(
            connection: connection, space: space, depth: WindowDepth(cap: cap), idle: idle, logger: logger)
        return try await body(
            WindowFixture(connection: connection, space: space, writer: writer, settings: settings))
    }
}

let viewer = UserID(rawValue: 7)
let otherViewer = UserID(rawValue: 8)

extension WindowWriter {
    /// Builds one window.
    func build(
        _ viewer: UserID, replacing: Bool = false, entries: @Sendable () async throws -> [FeedEntry]
    ) async throws -> BuildOutcome {
        try await build([viewer], replacing: replacing) { _ in [try await entries()] }[0]
    }
}
