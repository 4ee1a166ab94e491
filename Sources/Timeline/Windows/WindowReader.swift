import Database
import RedisClient
import SocialGraph

/// The result of one pipeline.
struct WindowSlices: Sendable {
    /// The entries of the home window; nil if there is none, or if it ends above the cursor.
    let home: FeedSlice?
    /// The entries of the other window that was asked for; nil likewise.
    var other: FeedSlice?
    /// The place in the change log up to which the reader has to know the hub authors; see ``HubMark``.
    var hubs: Int64 = 0

    func first(_ count: Int) -> WindowSlices { WindowSlices(home: home?.first(count), other: other, hubs: hubs) }
}

/// Reads windows. Callers respond to every error by reading from SQLite.
package struct WindowReader: Sendable {
    private let connection: any WindowConnection
    private let space: any ReadableSpace
    private let idle: IdleWindows

    package init(connection: any WindowConnection, space: any ReadableSpace, idle: IdleWindows = IdleWindows()) {
        self.connection = connection
        self.space = space
        self.idle = idle
    }

    package var isUp: Bool { connection.state == .up && space.keys != nil }
    /// The keys of the windows; nil: none is trusted.
    var keys: WindowKeys? { space.keys }

    /// Returns up to `count` entries strictly below `cursor`, from Redis. Entries are contiguous from the cursor down,
    /// so a caller that needs more continues in SQLite below the last of them. Returns nil if there is no window, or if
    /// it ends above the cursor.
    package func slice(of viewer: UserID, below cursor: FeedPosition, count: Int) async throws -> FeedSlice? {
        guard let keys = space.keys else { throw RedisError.unavailable }
        return try await stored(
            keys, viewer, below: cursor, count: count, beside: nil, renewal: idle.renewal(of: viewer)
        ).home
    }

    /// Same as ``slice(of:below:count:)``, from memory if the entries are there, else with the result of `other`, a
    /// query for a slice of another window, in one pipeline.
    func slices(
        of viewer: UserID, below cursor: FeedPosition, count: Int, beside other: RedisCommand?
    ) async throws -> WindowSlices {
        guard isUp, let keys = space.keys else { throw RedisError.unavailable }
        let renewal = idle.renewal(of: viewer)
        // Another process may write to the windows once the lease is lost.
        if renewal == nil, space.mayWrite(), let slice = space.recent?.slice(of: viewer, below: cursor, count: count) {
            guard let other else { return WindowSlices(home: slice) }
            let found = try await connection.send(other, timeout: nil) { try FeedSlice(window: $0) }
            guard space.keys == keys else { throw RedisError.unavailable }
            return WindowSlices(home: slice, other: found)
        }
        guard cursor == .end, count <= RecentWindows.entriesPerWindow, let load = space.recent?.beginLoad(of: viewer)
        else {
            return try await stored(keys, viewer, below: cursor, count: count, beside: other, renewal: renewal)
        }
        do {
            // The next page is read soon.
            let kept = min(count * 2, RecentWindows.entriesPerWindow)
            let found = try await stored(keys, viewer, below: cursor, count: kept, beside: other, renewal: renewal)
            space.recent?.finish(load, with: found.home)
            return found.first(count)
        } catch {
            space.recent?.finish(load, with: nil)
            throw error
        }
    }

    private func stored(
        _ keys: WindowKeys, _ viewer: UserID, below cursor: FeedPosition, count: Int, beside other: RedisCommand?,
        renewal: Int64?
    ) async throws -> WindowSlices {
        let isFollowed = space.isFollowed
        var commands = Self.commands(keys, viewer, below: cursor, count: count, beside: other, renewal: renewal)
        if isFollowed { commands.append(HubMark.query(keys)) }
        let hasOther = other != nil
        for _ in 0..<Self.attempts {
            let slices = try await connection.send(commands, timeout: nil) { replies -> Slices in
                try replies.throwIfAnyError()
                let home = try Self.home(replies, below: cursor, count: count)
                return (
                    home, hasOther ? try FeedSlice(window: replies[3]) : nil,
                    isFollowed ? try HubMark.place(replies[replies.count - 1]) : 0
                )
            }
            // Another process of Redis may have answered, with windows of this name out of an old snapshot.
            guard space.keys == keys else { throw RedisError.unavailable }
            if let home = slices.home {
                return WindowSlices(home: home.slice, other: slices.other, hubs: slices.hubs)
            }
        }
        return WindowSlices(home: nil)
    }

    /// A home slice that was read in one piece: nil inside if there is no window or if it ends above the cursor.
    private typealias Slices = (home: WholeRead?, other: FeedSlice?, hubs: Int64)
    private struct WholeRead: Sendable { let slice: FeedSlice? }

    /// Number of attempts to read a window between two changes.
    private static let attempts = 3

    /// The stamp of the tail, the sorted set, then the tail with its stamp.
    private static func commands(
        _ keys: WindowKeys, _ viewer: UserID, below cursor: FeedPosition, count: Int, beside other: RedisCommand?,
        renewal: Int64?
    ) -> [RedisCommand] {
        var stamp = RedisCommand("GETRANGE", reservingArguments: 3, bytes: 48)
        keys.appendTail(of: viewer, to: &stamp)
        stamp.append("0")
        stamp.append(integer: Int64(WindowTail.stampBytes - 1))
        var tail = RedisCommand("GET", reservingArguments: 1, bytes: 32)
        keys.appendTail(of: viewer, to: &tail)
        var commands = [stamp, range(keys, viewer, below: cursor, count: count), tail]
        if let other { commands.append(other) }
        if let renewal {
            for append in [WindowKeys.appendWindow, WindowKeys.appendTail] {
                var expire = RedisCommand("EXPIRE")
                append(keys)(viewer, &expire)
                expire.append(integer: renewal)
                commands.append(expire)
            }
        }
        return commands
    }

    /// Returns nil if the window was changed, otherwise than by an append, while it was read: entries that were then
    /// moved from the tail to the sorted set would be in neither.
    private static func home(_ replies: RedisReplies, below cursor: FeedPosition, count: Int) throws -> WholeRead? {
        let (stamp, sorted, tail) = (replies[0], replies[1], replies[2])
        guard !tail.isNull else { return try stamp.withBytes { $0.isEmpty } ? WholeRead(slice: nil) : nil }
        let isWhole = try stamp.withBytes { stamp in
            try tail.withBytes { $0.prefix(WindowTail.stampBytes).elementsEqual(stamp) }
        }
        guard isWhole else { return nil }
        guard let slice = try FeedSlice(window: sorted) else { return WholeRead(slice: nil) }
        var waiting: [FeedEntry] = []
        let isTail = try tail.withBytes { bytes in
            WindowTail.visit(bytes) { entry in
                if entry.position < cursor, entry.position > slice.end { waiting.append(entry) }
            }
        }
        return WholeRead(slice: isTail ? slice.merging(waiting, limit: count) : nil)
    }

    private static func range(
        _ keys: WindowKeys, _ viewer: UserID, below cursor: FeedPosition, count: Int
    ) -> RedisCommand {
        var command = RedisCommand(
            cursor == .end ? "ZRANGE" : "ZRANGEBYSCORE", reservingArguments: 7, bytes: 112)
        keys.appendWindow(of: viewer, to: &command)
        if cursor == .end {
            command.append("0")
            command.append(integer: Int64(count - 1))
            command.append("WITHSCORES")
        } else {
            command.append {
                $0.write("(-")
                $0.write(integer: cursor.rawValue)
            }
            command.append("0")
            command.append("WITHSCORES")
            command.append("LIMIT")
            command.append("0")
            command.append(integer: Int64(count))
        }
        return command
    }
}

extension FeedSlice {
    /// The first `count` entries, as if no more had been asked for.
    fileprivate func first(_ count: Int) -> FeedSlice {
        entries.count > count ? FeedSlice(Array(entries.prefix(count)), limit: count) : self
    }

    /// This slice of a sorted set with the entries of the tail that lie in it, in order of arrival: at most `limit`
    /// entries.
    fileprivate func merging(_ waiting: [FeedEntry], limit: Int) -> FeedSlice {
        if waiting.isEmpty { return self }
        let isInOrder = zip(waiting, waiting.dropFirst()).allSatisfy { $0.position < $1.position }
        let newestFirst = isInOrder ? waiting.reversed() : waiting.sorted { $0.position > $1.position }
        var merged: [FeedEntry] = []
        merged.reserveCapacity(min(limit, entries.count + waiting.count))
        var (left, right) = (0, 0)
        while merged.count < limit, left < newestFirst.count || right < entries.count {
            let isWaiting =
                right == entries.count
                || left < newestFirst.count && newestFirst[left].position >= entries[right].position
            let next = isWaiting ? newestFirst[left] : entries[right]
            if isWaiting { left += 1 } else { right += 1 }
            if next != merged.last { merged.append(next) }
        }
        let isAll = left == newestFirst.count && right == entries.count
        return FeedSlice(entries: merged, end: isAll ? end : merged.last?.position ?? end)
    }

    /// Decodes members and scores of a window. The sentinel means that nothing lies below.
    init?(window reply: RedisReplyView) throws {
        let count = try reply.count
        guard count > 0 else { return nil }
        var entries: [FeedEntry] = []
        entries.reserveCapacity(count / 2)
        for index in stride(from: 0, to: count - 1, by: 2) {
            let member = try reply[index].int64
            guard member != 0 else {
                self.init(entries: entries, end: .beginning)
                return
            }
            entries.append(
                FeedEntry(
                    position: FeedPosition(rawValue: -(try reply[index + 1].int64)), post: PostID(rawValue: member)))
        }
        self.init(entries: entries, end: entries.last?.position ?? .beginning)
    }
}
