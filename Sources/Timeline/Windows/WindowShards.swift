import Database
import SocialGraph

/// All windows, distributed over shards by their readers' buckets. An operation on windows of several shards goes to
/// all of them at the same time and is done when all have answered, or have lost the windows in question.
package struct WindowShards: Sendable {
    let all: [WindowShard]
    /// Those that this process maintains. The others are never used.
    let kept: [WindowShard]
    /// Nil: all of them.
    private let share: FanoutShare?
    let readable: ReadableShards
    /// The keeper of the shards, if they are the buckets of a cluster.
    let keeper: BucketKeeper?

    /// - Parameter all: At least one shard, by index.
    init(_ all: [WindowShard], of share: FanoutShare? = nil, keeper: BucketKeeper? = nil) {
        self.all = all
        self.share = share
        kept = share.map { share in all.filter { share.lease(of: $0.number) != nil } } ?? all
        self.keeper = keeper
        readable = ReadableShards(all.map(\.readable))
    }

    var count: Int { all.count }
    var depth: WindowDepth { all[0].writer.depth }

    /// The index of the shard that holds the windows of `viewer`.
    func index(of viewer: UserID) -> Int { readable.index(of: viewer) }

    func shard(of viewer: UserID) -> WindowShard { all[index(of: viewer)] }

    /// Adds `entries` to the windows of `viewers` that exist, building ones included. Returns the number of entries
    /// offered to windows.
    @discardableResult
    func push(_ entries: [FeedEntry], to viewers: [UserID]) async throws -> Int {
        if all.count == 1 { return try await all[0].writer.push(entries, to: viewers) }
        var batch = batch()
        batch.add(entries, to: viewers)
        return try await push(batch)
    }

    /// Adds the entries of `batch` to the windows that exist, building ones included. Returns the number of entries
    /// offered to windows.
    func push(_ batch: ShardedBatch) async throws -> Int {
        if all.count == 1 { return try await all[0].writer.push(batch.first) }
        if let keeper { return try await push(batch, by: keeper) }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, part) in batch.parts { group.addTask { try await all[index].writer.push(part) } }
            return try await group.reduce(0, +)
        }
    }

    /// Removes `entry` from the windows of `viewers`; see ``WindowWriter/retract(_:from:)``.
    func retract(_ entry: FeedEntry, from viewers: [UserID]) async throws -> [UserID] {
        if all.count == 1 { return try await all[0].writer.retract(entry, from: viewers) }
        return try await inEach(of: viewers) { try await $0.retract(entry, from: $1) }.flatMap(\.self)
    }

    /// Removes `posts` from the windows of `viewers`, building ones included.
    func remove(_ posts: [PostID], from viewers: [UserID]) async throws {
        if all.count == 1 {
            try await all[0].writer.remove(posts, from: viewers)
            return
        }
        _ = try await inEach(of: viewers) { try await $0.remove(posts, from: $1) }
    }

    func evict(_ viewers: [UserID]) async throws { _ = try await inEach(of: viewers) { try await $0.evict($1) } }

    /// Evicts all windows. On return a generation without windows has begun in each shard.
    func evictAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for shard in kept { group.addTask { try await shard.writer.evictAll() } }
            try await group.waitForAll()
        }
    }

    /// True if this process maintains the window of `viewer`.
    func keeps(_ viewer: UserID) -> Bool { share?.contains(viewer) ?? true }

    /// Those of `viewers` whose windows this process maintains, for each shard.
    func parts(of viewers: [UserID]) -> [[UserID]] { viewers.kept(by: share).byShard(among: all.count) }

    /// A batch for those of its viewers whose windows this process maintains.
    func batch() -> ShardedBatch { ShardedBatch(shards: all.count, of: share) }

    /// Calls `body` at the same time for each shard that holds windows of `viewers`.
    private func inEach<T: Sendable>(
        of viewers: [UserID], _ body: @escaping @Sendable (WindowWriter, [UserID]) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for (shard, part) in zip(all, parts(of: viewers)) where !part.isEmpty {
                group.addTask { try await body(shard.writer, part) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// A batch of pushes in parts, one for each shard.
struct ShardedBatch: Sendable {
    /// The part of the first shard, and those of the others, if there are any.
    private(set) var first = PushBatch()
    private(set) var others: [PushBatch]
    private var groups = 0
    private let share: FanoutShare?

    fileprivate init(shards: Int, of share: FanoutShare?) {
        self.share = share
        others = Array(repeating: PushBatch(), count: shards - 1)
    }

    /// The parts that have windows, and the indices of their shards.
    var parts: some Sequence<(index: Int, batch: PushBatch)> {
        (0...others.count).lazy.map { (index: $0, batch: $0 == 0 ? first : others[$0 - 1]) }
            .filter { $0.batch.deliveries > 0 }
    }

    mutating func add(_ entries: [FeedEntry], to viewers: [UserID]) {
        if others.isEmpty { return first.add(entries, to: viewers) }
        let entries = PushBatch.inOrder(entries)
        for (index, part) in viewers.kept(by: share).byShard(among: others.count + 1).enumerated() {
            if index == 0 {
                first.add(entries, to: part, number: groups)
            } else {
                others[index - 1].add(entries, to: part, number: groups)
            }
        }
        groups += 1
    }

    /// Sorts the parts. Called once, after the last group.
    mutating func arrange() {
        first.arrange()
        for index in others.indices { others[index].arrange() }
    }
}

extension [UserID] {
    /// The viewers whose windows belong to `share`; nil: all.
    fileprivate func kept(by share: FanoutShare?) -> [UserID] {
        guard let share, !share.isWhole else { return self }
        return filter(share.contains)
    }
}
