import Database
import Foundation
import GraphAssembly
import Importing
import SocialGraph
import Synchronization

/// The network of the operations, the same in every run: 1,000 authors with 3 posts each; readers who follow 20, 200
/// and 1,000 of them; strangers who follow 20 each, no two of them the same; and fans, who follow nobody yet.
enum Network {
    static let followeeCounts = [20, 200, 1_000]
    static let strangers = (0..<50).map { "stranger\($0)" }

    static func author(_ number: Int) -> String { "author\(number)" }
    static func fan(_ number: Int) -> String { "fan\(number)" }
    static func reader(following count: Int) -> String { "reader\(count)" }
    static func category(_ number: Int) -> String { "category\(number)" }

    static let authorCount = 1_000
    static let fanCount = 128
    private static let postsPerAuthor = 3

    static func post(_ number: Int, by author: UserID) -> NewPost {
        NewPost(
            author: author, caption: "The caption of a post, about as long as one is: number \(number) of very many.",
            mediaURL: "https://media.example/\(number)", category: category(number % 10),
            algorithmTags: ["tag\(number % 7)", "tag\(7 + number % 11)"], title: "Post \(number)")
    }

    /// Writes the network to a new database at `path`.
    static func write(to path: String) async throws {
        let database = try SQLiteDatabase(path: path, clock: clock(startingAt: start))
        let graph = GraphStore(database: database)
        for number in 0..<fanCount {
            _ = try await graph.accounts.createAccount(username: fan(number), email: nil, passwordHash: nil)
        }
        var importer = FollowImporter(graph: graph)
        try await importer.write(follows)
        let authors = try await graph.authors()
        for round in 0..<postsPerAuthor {
            try await graph.bulkPosts.publish(
                batch: authors.enumerated().map { post(round * authorCount + $0.offset, by: $0.element) })
        }
        let jobs = try await graph.outbox.outboxJobs(above: nil, limit: .max)
        let lease = try await graph.outbox.takeLease(from: .isDead)
        try await graph.outbox.acknowledgeJobs(by: GroupShare(whole: lease.stamp), finished: jobs.map(\.id))
        try database.close()
    }

    private static var follows: [(follower: String, followee: String)] {
        var edges: [(follower: String, followee: String)] = []
        for count in followeeCounts.reversed() {
            // Evenly spread over the authors.
            for number in 0..<count { edges.append((reader(following: count), author(number * authorCount / count))) }
        }
        let share = authorCount / strangers.count
        for (number, stranger) in strangers.enumerated() {
            for place in 0..<share { edges.append((stranger, author(number * share + place))) }
        }
        return edges
    }

    // MARK: Time

    /// 2026-01-01, and a day later, in milliseconds since 1970.
    private static let start: Int64 = 1_767_225_600_000
    static let later = start + 86_400_000
    /// The first id handed out at `later`.
    static let firstID = IDSequence.first(at: later)

    /// Returns a clock that advances a millisecond on each call, so that ids are the same in every run.
    static func clock(startingAt start: Int64) -> @Sendable () -> Int64 {
        let clock = Counter(start)
        return { clock.next() }
    }
}

/// A counter for concurrent use.
final class Counter: Sendable {
    private let count: Atomic<Int64>

    init(_ start: Int64 = 0) { count = Atomic(start) }

    var value: Int64 { count.load(ordering: .relaxed) }

    func set(_ value: Int64) { count.store(value, ordering: .relaxed) }

    @discardableResult
    func next() -> Int64 { count.add(1, ordering: .relaxed).newValue }
}

extension GraphStore {
    func user(_ name: String) async throws -> UserID {
        guard let account = try await accounts.account(username: name) else {
            throw BenchmarkError("there is no \(name)")
        }
        return account.id
    }

    func authors() async throws -> [UserID] {
        try await follows.followees(of: user(Network.reader(following: Network.authorCount)))
    }

    func fans() async throws -> [UserID] {
        var fans: [UserID] = []
        for number in 0..<Network.fanCount { fans.append(try await user(Network.fan(number))) }
        return fans
    }
}
