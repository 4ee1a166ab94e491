import SocialGraph

/// What a window says below a cursor.
package struct WindowSlice: Sendable, Equatable {
    /// Newest first. Empty: there is no window, or it ends above the cursor.
    package var posts: [PostID] = []
    /// Nothing lies below.
    package var reachesBeginning = false
}

/// Reads windows. Every error means "answer from SQLite".
package struct WindowReader: Sendable {
    private let connection: RedisConnection
    private let space: WindowSpace

    package init(connection: RedisConnection, space: WindowSpace) {
        self.connection = connection
        self.space = space
    }

    package var isUp: Bool { connection.state == .up && space.keys != nil }

    /// Up to `count` entries strictly below `cursor`. Entries come contiguously from the cursor down, so whoever
    /// wants more goes on in SQLite below the last of them.
    package func slice(of viewer: UserID, below cursor: PostID?, count: Int) async throws -> WindowSlice {
        guard let keys = space.keys else { throw RedisError.unavailable }
        var command = RedisCommand(cursor == nil ? "ZRANGE" : "ZRANGEBYSCORE", reservingArguments: 6, bytes: 96)
        keys.appendWindow(of: viewer, to: &command)
        if let cursor {
            command.append {
                $0.write("(-")
                $0.write(integer: cursor.rawValue)
            }
            command.append("0")
            command.append("LIMIT")
            command.append("0")
            command.append(integer: Int64(count))
        } else {
            command.append("0")
            command.append(integer: Int64(count - 1))
        }
        let slice = try await connection.send(command, timeout: nil, decode: WindowSlice.init(reply:))
        // Another run of Redis may have answered, with windows of this name out of an old snapshot.
        guard space.keys == keys else { throw RedisError.unavailable }
        return slice
    }
}

extension WindowSlice {
    init(reply: RedisReplyView) throws {
        let count = try reply.count
        posts.reserveCapacity(count)
        for index in 0..<count {
            let member = try reply[index].int64
            if member == 0 {
                reachesBeginning = true
            } else {
                posts.append(PostID(rawValue: member))
            }
        }
    }
}
