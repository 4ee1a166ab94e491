import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization
import Timeline

/// Requests of fan-out to Redis.
extension Operation {
    static let pushes = [
        push(posts: 1, repetitions: 64), push(posts: 8, repetitions: 8), build, fold(withReshares: false),
        fold(withReshares: true),
    ]

    /// Pushes to an audience in memory whose windows are full. Folds of tails wait, and are counted by themselves.
    private static func push(posts: Int, repetitions: Int) -> Operation {
        let name = posts == 1 ? "push of a post" : "push of \(posts) posts"
        return Operation("\(name) to 1,000 windows", warmUp: 8, repetitions: repetitions) { site, measure in
            try await site.withWindows(folds: FoldQueue()) { windows in
                let first = Network.firstID
                let viewers = (0..<1_000).map { UserID(rawValue: first + $0) }
                let depth = windows.depth.cap
                func entry(_ number: Int) -> FeedEntry { FeedEntry(PostID(rawValue: first + 10_000 + Int64(number))) }
                let newest = (0..<depth).map { entry(depth - 1 - $0) }
                _ = try await windows.build(viewers) { $0.map { _ in newest } }
                try await measure { number in
                    let batch = (0..<posts).map { entry(depth + number * posts + $0) }
                    guard try await windows.push(batch, to: viewers) == viewers.count * posts else {
                        throw BenchmarkError("a window is lost")
                    }
                }
            }
        }
    }

    /// Builds the windows of readers whose 60 posts are in SQLite: the repeated step of a rebuild of all windows.
    private static let build = Operation("build of 32 windows", warmUp: 2, repetitions: 8) { site, measure in
        let graph = try site.graph()
        var readers: [UserID] = []
        for name in Network.strangers.prefix(WindowWriter.windowsPerBuild) {
            readers.append(try await graph.user(name))
        }
        try await site.withWindows { windows in
            try await measure { _ in
                let outcomes = try await windows.build(readers) {
                    try await graph.feeds.windowEntries(of: $0, limit: windows.depth.cap)
                }
                guard outcomes == readers.map({ _ in .ready }) else { throw BenchmarkError("a window is lost") }
            }
        }
    }
}

extension Operation {
    /// Folds tails of 160 posts, of which every fourth has been reshared if `withReshares`.
    private static func fold(withReshares: Bool) -> Operation {
        let name = "fold of 32 windows" + (withReshares ? " with reshares" : "")
        return Operation(name, warmUp: 2, repetitions: 8) { site, measure in
            try await site.withWindows(folds: FoldQueue()) { windows in
                let (size, first, depth) = (32, Network.firstID, windows.depth.cap)
                // One part for each repetition.
                let viewers = (0..<Int64(size * (2 + 3 * 8))).map { UserID(rawValue: first + $0) }
                func entry(_ number: Int) -> FeedEntry {
                    let post = first + 10_000 + Int64(number)
                    let isReshare = withReshares && number.isMultiple(of: 4)
                    return FeedEntry(
                        position: FeedPosition(rawValue: post), post: PostID(rawValue: isReshare ? post - 400 : post))
                }
                let newest = (0..<depth).map { entry(depth - 1 - $0) }
                _ = try await windows.build(viewers) { $0.map { _ in newest } }
                for part in 0..<5 {
                    _ = try await windows.push((0..<32).map { entry(depth + part * 32 + $0) }, to: viewers)
                }
                try await measure { number in
                    try await windows.fold(Array(viewers[number * size..<(number + 1) * size]))
                }
            }
        }
    }
}

extension Site {
    /// Calls `body` with windows without a graph.
    fileprivate func withWindows(folds: FoldQueue? = nil, _ body: (WindowWriter) async throws -> Void) async throws {
        let logger = Self.silence
        let lease = LeaseStamp(name: OutboxStore.lease, epoch: 1)
        let space = WindowSpace(graph: VolatileSettings(), lease: lease, logger: logger)
        let connection = try RedisConnection(configuration: redis, name: "windows", logger: logger) {
            try await space.establish(over: $0, runID: $0.runID)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            try await connection.waitUntilUp()
            try await body(
                WindowWriter(connection: connection, space: space, depth: WindowDepth(), folds: folds, logger: logger))
            connection.close()
        }
    }
}

private final class VolatileSettings: GenerationStoring {
    private let values = Mutex<[String: String]>([:])

    func setting(_ name: String) async throws -> String? { values.withLock { $0[name] } }
    func store(_ settings: [String: String], under lease: LeaseStamp) async throws {
        values.withLock { $0.merge(settings) { _, new in new } }
    }
}
