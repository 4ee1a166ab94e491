import Algorithms
import Database
import Logging
import RedisClient
import SocialGraph

/// Changes windows. Each operation is repeated until Redis has answered it (they are idempotent) or until the
/// generation that it was meant for is over, in which case it has nothing left to do. The caller holds its
/// ``GracePeriod`` ticket meanwhile, so that an operation whose outcome is unknown still holds back what must come
/// after it.
package struct WindowWriter: Sendable {
    /// Windows in one script call: Redis answers nobody else while it executes one.
    package static let windowsPerCall = 500
    /// Windows in one push call while pages are being read. One such push of a post leaves room under
    /// ``RedisConnection/argumentsInFlightGivingWay``, two fill it.
    static let windowsPerCallGivingWay = RedisConnection.argumentsInFlightGivingWay * 5 / 6
    /// Windows that are built together, with one call to begin and one pipeline to complete.
    package static let windowsPerBuild = 32
    /// Seconds after which Redis forgets a window whose build was abandoned.
    static let buildExpiry: Int64 = 120

    private let connection: RedisConnection
    private let space: WindowSpace
    let builds: BuildRegistry
    private let logger: Logger
    package let depth: WindowDepth
    /// Seconds without a read after which Redis forgets a window.
    let idleSeconds: Int64

    package init(
        connection: RedisConnection, space: WindowSpace, depth: WindowDepth,
        idle: Duration = IdleWindows.defaultIdle, logger: Logger
    ) {
        idleSeconds = max(idle.components.seconds, 1)
        self.connection = connection
        self.space = space
        self.depth = depth
        self.logger = logger
        builds = BuildRegistry()
    }

    /// Adds `entries` to the windows of `viewers` that exist, building ones included. Returns how many entries were
    /// offered to windows.
    @discardableResult
    package func push(_ entries: [FeedEntry], to viewers: [UserID]) async throws -> Int {
        let oldestFirst = entries.sorted { $0.position < $1.position }
        return try await perform { pushes(oldestFirst, to: viewers, $0) }
    }

    /// - Parameter entries: oldest first.
    func pushes(_ entries: [FeedEntry], to viewers: [UserID], _ epoch: WindowSpace.Epoch) -> [RedisCommand] {
        calls(
            epoch.scripts.push, epoch, viewers, windows: windowsPerPush, argumentCount: entries.count * 2 + 3
        ) { command in
            command.append(epoch.fence)
            command.append(integer: Int64(depth.cap))
            command.append(integer: Int64(depth.limit))
            for entry in entries { command.append(entry) }
        }.map(\.command)
    }

    /// Takes `entry` out of the windows of `viewers`, building ones included, where it stands at its position. Returns
    /// those in whose window the post does not stand before that, however that came about: repeated, it finds them
    /// again.
    package func retract(_ entry: FeedEntry, from viewers: [UserID]) async throws -> [UserID] {
        var owners: [[UserID]] = []
        let found: [[Int]] = try await perform { epoch in
            let calls = calls(epoch.scripts.retract, epoch, viewers, argumentCount: 3) { command in
                command.append(epoch.fence)
                command.append(entry)
            }
            owners = calls.map(\.owners)
            return calls.map(\.command)
        } decode: { replies in
            try replies.throwIfAnyError()
            return try (0..<replies.count).map { call in
                let indices = replies[call]
                return try (0..<indices.count).map { Int(try indices[$0].integer) }
            }
        } ended: {
            []
        }
        return Array(zip(owners, found).flatMap { owners, indices in indices.map { owners[$0] } }.uniqued())
    }

    /// Takes `posts` out of the windows of `viewers`, building ones included. Returns how many entries that were.
    @discardableResult
    package func remove(_ posts: [PostID], from viewers: [UserID]) async throws -> Int {
        guard !posts.isEmpty else { return 0 }
        return try await perform { epoch in
            calls(epoch.scripts.remove, epoch, viewers, argumentCount: posts.count + 1) { command in
                command.append(epoch.fence)
                for post in posts { command.append(integer: post.rawValue) }
            }.map(\.command)
        }
    }

    @discardableResult
    package func drop(_ viewers: [UserID]) async throws -> Int {
        try await perform { epoch in
            calls(epoch.scripts.drop, epoch, viewers, argumentCount: 1) { $0.append(epoch.fence) }.map(\.command)
        }
    }
}

extension WindowWriter {
    /// Drops all windows: when this returns, a generation has begun in which there are none.
    package func dropAll() async throws {
        var ended: WindowSpace.Epoch?
        _ = try await perform { epoch in
            ended = epoch
            var command = script(epoch.scripts.end, keys: 1)
            epoch.keys.appendState(to: &command)
            command.append(epoch.fence)
            return [command]
        }
        guard let ended else { return }
        if space.epoch == ended {
            space.suspend()
            connection.reconnect(because: .intended)
        }
        try await waitUntilEstablished(after: ended)
    }

    /// - Parameter bytes: of arguments that are longer than a key.
    func script(_ digest: String, keys: Int, arguments: Int = 8, bytes: Int = 0) -> RedisCommand {
        var command = RedisCommand(
            "EVALSHA", reservingArguments: keys + arguments + 2, bytes: (keys + arguments) * 24 + 48 + bytes)
        command.append(digest)
        command.append(integer: Int64(keys))
        return command
    }

    /// Pages wait while a call is executed.
    var windowsPerPush: Int {
        connection.givesWay ? Self.windowsPerCallGivingWay : Self.windowsPerCall
    }

    /// One script call for so many `windows` each, with whose windows it names, in their order.
    private func calls(
        _ digest: String, _ epoch: WindowSpace.Epoch, _ viewers: [UserID],
        windows: Int = WindowWriter.windowsPerCall, argumentCount: Int,
        arguments: (inout RedisCommand) -> Void
    ) -> [(command: RedisCommand, owners: [UserID])] {
        viewers.chunks(ofCount: windows).map { part in
            let building = builds.builds(of: part)
            var command = script(digest, keys: 1 + part.count + building.count, arguments: argumentCount)
            epoch.keys.appendState(to: &command)
            for viewer in part { epoch.keys.appendWindow(of: viewer, to: &command) }
            for build in building { epoch.keys.append(build, to: &command) }
            arguments(&command)
            return (command, part + building.map(\.viewer))
        }
    }

    /// Sends what `compose` makes and adds up the integer replies.
    func perform(_ compose: (WindowSpace.Epoch) -> [RedisCommand]) async throws -> Int {
        try await replies(to: compose).reduce(0, +)
    }

    /// Sends what `compose` makes and returns the integer replies; none if the generation is over.
    func replies(to compose: (WindowSpace.Epoch) -> [RedisCommand]) async throws -> [Int] {
        try await perform(compose) { replies in
            try replies.throwIfAnyError()
            return try (0..<replies.count).map { Int(try replies[$0].integer) }
        } ended: {
            []
        }
    }

    func perform<T: Sendable>(
        _ compose: (WindowSpace.Epoch) -> [RedisCommand], decode: @escaping @Sendable (RedisReplies) throws -> T,
        ended: () -> T
    ) async throws -> T {
        var generation: WindowKeys?
        while true {
            try Task.checkCancellation()
            guard space.mayWrite() else {
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
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
            if space.epoch == epoch { connection.reconnect(because: .fault(error.message)) }
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

extension RedisCommand {
    /// Position, then post.
    mutating func append(_ entry: FeedEntry) {
        append(integer: entry.position.rawValue)
        append(integer: entry.post.rawValue)
    }
}
