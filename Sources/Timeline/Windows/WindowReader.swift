import Database
import RedisClient
import SocialGraph

/// Reads windows. Callers respond to every error by reading from SQLite.
package struct WindowReader: Sendable {
    private let connection: RedisConnection
    private let space: WindowSpace
    private let idle: IdleWindows

    package init(connection: RedisConnection, space: WindowSpace, idle: IdleWindows = IdleWindows()) {
        self.connection = connection
        self.space = space
        self.idle = idle
    }

    package var isUp: Bool { connection.state == .up && space.keys != nil }

    /// Returns up to `count` entries strictly below `cursor`. Entries are contiguous from the cursor down, so a caller
    /// that needs more continues in SQLite below the last of them. Returns nil if there is no window, or if it ends
    /// above the cursor.
    package func slice(of viewer: UserID, below cursor: FeedPosition, count: Int) async throws -> FeedSlice? {
        try await slices(of: viewer, below: cursor, count: count, beside: nil).home
    }

    /// Same as ``slice(of:below:count:)``, with the result of `other`, a query for a slice of another window, in one
    /// pipeline.
    func slices(
        of viewer: UserID, below cursor: FeedPosition, count: Int, beside other: RedisCommand?
    ) async throws -> (home: FeedSlice?, other: FeedSlice?) {
        guard let keys = space.keys else { throw RedisError.unavailable }
        let range = Self.range(keys, viewer, below: cursor, count: count)
        let seconds = idle.renewal(of: viewer)
        let slices: (home: FeedSlice?, other: FeedSlice?)
        if seconds == nil, other == nil {
            slices = (try await connection.send(range, timeout: nil) { try FeedSlice(window: $0) }, nil)
        } else {
            var commands = [range]
            if let other { commands.append(other) }
            if let seconds {
                var expire = RedisCommand("EXPIRE")
                keys.appendWindow(of: viewer, to: &expire)
                expire.append(integer: seconds)
                commands.append(expire)
            }
            let hasOther = other != nil
            slices = try await connection.send(commands, timeout: nil) { replies in
                try replies.throwIfAnyError()
                return (try FeedSlice(window: replies[0]), hasOther ? try FeedSlice(window: replies[1]) : nil)
            }
        }
        // Another process of Redis may have answered, with windows of this name out of an old snapshot.
        guard space.keys == keys else { throw RedisError.unavailable }
        return slices
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
