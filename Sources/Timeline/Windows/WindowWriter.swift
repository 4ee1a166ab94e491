import Logging
import SocialGraph

/// Changes windows. Each operation is repeated until Redis has answered it (they are idempotent) or until the
/// generation that it was meant for is over, in which case it has nothing left to do. The caller holds its
/// ``GracePeriod`` ticket meanwhile, so that an operation whose outcome is unknown still holds back what must come
/// after it.
package struct WindowWriter: Sendable {
    private let connection: RedisConnection
    private let space: WindowSpace
    private let builds: BuildRegistry
    private let logger: Logger
    package let depth: WindowDepth

    package init(connection: RedisConnection, space: WindowSpace, depth: WindowDepth, logger: Logger) {
        self.connection = connection
        self.space = space
        self.depth = depth
        self.logger = logger
        builds = BuildRegistry()
    }

    /// Adds `posts` to the windows of `viewers` that exist, building ones included. Returns how many exist.
    @discardableResult
    package func push(_ posts: [PostID], to viewers: [UserID]) async throws -> Int {
        let newestFirst = posts.sorted(by: >)
        return try await perform { epoch in
            calls(epoch.scripts.push, epoch, viewers, argumentCount: newestFirst.count + 3) { command in
                command.append(epoch.fence)
                command.append(integer: Int64(depth.cap))
                command.append(integer: Int64(depth.limit))
                for post in newestFirst { command.append(integer: post.rawValue) }
            }
        }
    }

    /// Adds the newest `posts` of an author to one window, newest first in calls that a window can take. Where there
    /// are as many as a window holds, the author may have older ones: the window's floor is raised to the last that
    /// is known.
    package func merge(_ posts: [PostID], into viewer: UserID) async throws {
        let newestFirst = posts.sorted(by: >)
        for start in stride(from: 0, to: newestFirst.count, by: TimelineLimits.postsPerCall) {
            let end = min(start + TimelineLimits.postsPerCall, newestFirst.count)
            if try await push(Array(newestFirst[start..<end]), to: [viewer]) == 0 { return }
        }
        if newestFirst.count >= depth.cap, let floor = newestFirst.last {
            try await raiseFloor(to: floor, of: [viewer])
        }
    }

    private func raiseFloor(to floor: PostID, of viewers: [UserID]) async throws {
        _ = try await perform { epoch in
            calls(epoch.scripts.raise, epoch, viewers, argumentCount: 2) { command in
                command.append(epoch.fence)
                command.append(integer: floor.rawValue)
            }
        }
    }

    /// Takes `posts` out of the windows of `viewers`, building ones included. Returns how many entries that were.
    @discardableResult
    package func remove(_ posts: [PostID], from viewers: [UserID]) async throws -> Int {
        guard !posts.isEmpty else { return 0 }
        return try await perform { epoch in
            calls(epoch.scripts.remove, epoch, viewers, argumentCount: posts.count + 1) { command in
                command.append(epoch.fence)
                for post in posts { command.append(integer: post.rawValue) }
            }
        }
    }

    @discardableResult
    package func drop(_ viewers: [UserID]) async throws -> Int {
        try await perform { epoch in
            calls(epoch.scripts.drop, epoch, viewers, argumentCount: 1) { $0.append(epoch.fence) }
        }
    }

    /// All entries of a window, newest first; nil without a window. Ordered after every operation sent before.
    package func contents(of viewer: UserID) async throws -> [PostID]? {
        try await perform { epoch -> [RedisCommand] in
            var command = RedisCommand("ZRANGE")
            epoch.keys.appendWindow(of: viewer, to: &command)
            command.append("0")
            command.append("-1")
            return [command]
        } decode: { replies -> [PostID]? in
            try replies.throwIfAnyError()
            let count = try replies[0].count
            if count == 0 { return nil }
            return try (0..<count).compactMap { index in
                let member = try replies[0][index].int64
                return member == 0 ? nil : PostID(rawValue: member)
            }
        } ended: {
            nil
        }
    }

    /// Builds the window of `viewer` and makes it ready: first a building window that receives pushes, then the
    /// snapshot, then the flip. `posts`: reads up to `cap` posts of the home feed, newest first. The caller holds a
    /// ticket taken before this. False if the building window was lost in between.
    package func build(_ viewer: UserID, posts: @Sendable () async throws -> [PostID]) async throws -> Bool {
        let build = builds.register(viewer)
        defer { builds.unregister(build) }
        let generation = try await perform { epoch -> [RedisCommand] in
            var command = script(epoch.scripts.begin, keys: 2)
            epoch.keys.appendState(to: &command)
            epoch.keys.append(build, to: &command)
            command.append(epoch.fence)
            command.append(integer: TimelineLimits.buildExpiry)
            return [command]
        }
        guard generation > 0 else { return false }
        let snapshot = try await posts()
        return try await perform { epoch -> [RedisCommand] in
            var command = script(epoch.scripts.flip, keys: 3, arguments: snapshot.count + 8)
            epoch.keys.appendState(to: &command)
            epoch.keys.append(build, to: &command)
            epoch.keys.appendWindow(of: viewer, to: &command)
            command.append(epoch.fence)
            command.append(integer: Int64(depth.cap))
            command.append(integer: Int64(depth.limit))
            command.append(snapshot.count < depth.cap ? "1" : "0")
            for post in snapshot { command.append(integer: post.rawValue) }
            return [command]
        } > 0
    }
}

extension WindowWriter {
    private func script(_ digest: String, keys: Int, arguments: Int = 8) -> RedisCommand {
        var command = RedisCommand(
            "EVALSHA", reservingArguments: keys + arguments + 2, bytes: (keys + arguments) * 24 + 48)
        command.append(digest)
        command.append(integer: Int64(keys))
        return command
    }

    /// One script call for each ``TimelineLimits/windowsPerCall`` viewers.
    private func calls(
        _ digest: String, _ epoch: WindowSpace.Epoch, _ viewers: [UserID], argumentCount: Int,
        arguments: (inout RedisCommand) -> Void
    ) -> [RedisCommand] {
        var commands: [RedisCommand] = []
        for start in stride(from: 0, to: viewers.count, by: TimelineLimits.windowsPerCall) {
            let part = viewers[start..<min(start + TimelineLimits.windowsPerCall, viewers.count)]
            let building = builds.builds(of: part)
            var command = script(digest, keys: 1 + part.count + building.count, arguments: argumentCount)
            epoch.keys.appendState(to: &command)
            for viewer in part { epoch.keys.appendWindow(of: viewer, to: &command) }
            for build in building { epoch.keys.append(build, to: &command) }
            arguments(&command)
            commands.append(command)
        }
        return commands
    }

    /// Sends what `compose` makes and adds up the integer replies.
    private func perform(_ compose: (WindowSpace.Epoch) -> [RedisCommand]) async throws -> Int {
        try await perform(compose) { replies in
            try replies.throwIfAnyError()
            return try (0..<replies.count).reduce(0) { try $0 + Int(replies[$1].integer) }
        } ended: {
            0
        }
    }

    private func perform<T: Sendable>(
        _ compose: (WindowSpace.Epoch) -> [RedisCommand], decode: @escaping @Sendable (RedisReplies) throws -> T,
        ended: () -> T
    ) async throws -> T {
        var generation: WindowKeys?
        while true {
            try Task.checkCancellation()
            guard let epoch = space.epoch else {
                try await waitUntilEstablished()
                continue
            }
            if let generation, generation != epoch.keys { return ended() }
            generation = epoch.keys
            let commands = compose(epoch)
            if commands.isEmpty { return ended() }
            do {
                return try await connection.send(commands, timeout: nil, decode: decode)
            } catch let error as RedisError {
                try await recover(from: error, epoch: epoch)
            }
        }
    }

    /// Waits until a repetition can succeed; throws what repetition cannot mend.
    private func recover(from error: RedisError, epoch: WindowSpace.Epoch) async throws {
        logger.debug("window operation will be repeated", metadata: ["error": "\(error.message)"])
        switch error.code {
        case .server where error.serverCode == "FENCED" || error.serverCode == "NOSCRIPT":
            // The state was flushed, or another connection of ours has taken over.
            if space.epoch == epoch { connection.reconnect() }
            try await waitUntilEstablished(after: epoch)
        case .unavailable:
            // Not sent, so the same epoch will do: it may be that of a handshake which has not quite ended.
            try await waitUntilEstablished()
        case .timeout, .connectionLost, .protocolViolation:
            try await waitUntilEstablished(after: epoch)
        case .queueFull:
            try await Task.sleep(for: .milliseconds(5))
        case .server:
            // OOM, LOADING, READONLY, MISCONF: a state that passes.
            logger.warning("Redis refused a window operation", metadata: ["error": "\(error.message)"])
            try await Task.sleep(for: .milliseconds(200))
        case .closed, .commandTooLarge, .unexpectedReply, .invalidConfiguration:
            throw error
        }
    }

    private func waitUntilEstablished(after epoch: WindowSpace.Epoch? = nil) async throws {
        while true {
            try await connection.waitUntilUp()
            if let current = space.epoch, current != epoch { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
