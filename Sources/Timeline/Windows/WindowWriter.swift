import Algorithms
import Database
import Logging
import RedisClient
import SocialGraph

/// Changes windows. Each operation is idempotent and repeated until Redis has answered it, or until its generation is
/// retired and nothing is left to do. The caller holds its ``GracePeriod`` ticket meanwhile, so that an operation with
/// unknown outcome still delays operations that must follow it.
package struct WindowWriter: Sendable {
    /// Maximum number of windows in one script call. Redis answers no other client while it executes a script.
    package static let windowsPerCall = 500
    /// Maximum number of windows in one push call while pages are being read. One such push of a post leaves room under
    /// ``RedisConnection/argumentsInFlightGivingWay``, two fill it.
    static let windowsPerCallGivingWay = RedisConnection.argumentsInFlightGivingWay * 5 / 6
    /// Windows built together, with one call to begin and one pipeline to complete.
    package static let windowsPerBuild = 32
    /// Seconds after which Redis forgets a window whose build was abandoned.
    static let buildExpiry: Int64 = 120

    private let connection: any WindowConnection
    let space: WindowSpace
    let builds: BuildRegistry
    /// The folds that wait; nil if every fold is part of the push that has found a full tail.
    let folds: FoldQueue?
    let logger: Logger
    package let depth: WindowDepth
    /// Seconds without a read after which Redis forgets a window.
    let idleSeconds: Int64

    package init(
        connection: any WindowConnection, space: WindowSpace, depth: WindowDepth,
        idle: Duration = IdleWindows.defaultIdle, folds: FoldQueue? = nil, logger: Logger
    ) {
        idleSeconds = max(idle.components.seconds, 1)
        self.connection = connection
        self.space = space
        self.depth = depth
        self.folds = folds
        self.logger = logger
        builds = BuildRegistry()
    }

    /// Removes `entry` from the windows of `viewers`, building ones included, if it stands at its position. Returns the
    /// viewers whose window does not hold the post at an earlier position, for any reason, so that a repeated call
    /// returns them again.
    package func retract(_ entry: FeedEntry, from viewers: [UserID]) async throws -> [UserID] {
        var owners: [[UserID]] = []
        let found: [[Int]] = try await perform { epoch in
            let calls = calls(epoch.scripts.retract, epoch, viewers, argumentCount: 5) { command in
                command.append(entry)
                command.append(WindowTail.words(of: CollectionOfOne(entry)))
            }
            owners = calls.map(\.owners)
            return calls.map(\.command)
        } decode: { replies in
            try (0..<replies.count).map { call in
                let indices = replies[call]
                return try (0..<indices.count).map { Int(try indices[$0].integer) }
            }
        }
        space.recent?.forget(viewers)
        return Array(zip(owners, found).flatMap { owners, indices in indices.map { owners[$0] } }.uniqued())
    }

    /// Removes `posts` from the windows of `viewers`, building ones included. Returns the number of entries removed.
    @discardableResult
    package func remove(_ posts: [PostID], from viewers: [UserID]) async throws -> Int {
        guard !posts.isEmpty else { return 0 }
        let removed = try await perform { epoch in
            calls(epoch.scripts.remove, epoch, viewers, argumentCount: posts.count * 2 + 2) { command in
                for post in posts {
                    command.append(integer: post.rawValue)
                    command.append(WindowTail.word(of: post))
                }
            }.map(\.command)
        }
        space.recent?.forget(viewers)
        return removed
    }

    @discardableResult
    package func evict(_ viewers: [UserID]) async throws -> Int {
        let evicted = try await perform { epoch in
            calls(epoch.scripts.evict, epoch, viewers, argumentCount: 2) { _ in }.map(\.command)
        }
        space.recent?.forget(viewers)
        return evicted
    }
}

extension WindowWriter {
    /// Evicts all windows. On return a generation without windows has begun.
    package func evictAll() async throws {
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

    /// The generation for which others may compose a push; nil while there is none, or nothing may be written.
    var epoch: WindowSpace.Epoch? { space.mayWrite() ? space.epoch : nil }

    /// - Parameter bytes: The size of arguments that are longer than a key.
    func script(_ digest: String, keys: Int, arguments: Int = 8, bytes: Int = 0) -> RedisCommand {
        var command = RedisCommand(
            "EVALSHA", reservingArguments: keys + arguments + 2, bytes: (keys + arguments) * 24 + 48 + bytes)
        command.append(digest)
        command.append(integer: Int64(keys))
        return command
    }

    /// The number of windows in one push call. Pages wait while a call is executed.
    var windowsPerPush: Int {
        connection.givesWay ? Self.windowsPerCallGivingWay : Self.windowsPerCall
    }

    /// Composes one script call for each ``windowsPerCall`` windows, building ones included, with the owners of its
    /// windows in order. `arguments` follow the fence and the number of ready windows.
    private func calls(
        _ digest: String, _ epoch: WindowSpace.Epoch, _ viewers: [UserID], argumentCount: Int,
        arguments: (inout RedisCommand) -> Void
    ) -> [(command: RedisCommand, owners: [UserID])] {
        viewers.chunks(ofCount: Self.windowsPerCall).map { part in
            let building = builds.builds(of: part)
            var command = script(digest, keys: 1 + part.count * 2 + building.count, arguments: argumentCount)
            epoch.keys.appendState(to: &command)
            for viewer in part { epoch.keys.appendBoth(of: viewer, to: &command) }
            for build in building { epoch.keys.append(build, to: &command) }
            command.append(epoch.fence)
            command.append(integer: Int64(part.count))
            arguments(&command)
            return (command, part + building.map(\.viewer))
        }
    }

    /// Sends the commands made by `compose` and adds up the integer replies.
    func perform(_ compose: (WindowSpace.Epoch) -> [RedisCommand]) async throws -> Int {
        try await replies(to: compose).reduce(0, +)
    }

    /// Sends the commands made by `compose` and returns the integer replies; none if the generation is retired.
    func replies(to compose: (WindowSpace.Epoch) -> [RedisCommand]) async throws -> [Int] {
        try await perform(compose) { replies in
            try (0..<replies.count).map { Int(try replies[$0].integer) }
        }
    }

    /// Sends the commands made by `compose` and returns what `decode` makes of the replies; nothing if the generation
    /// is retired.
    func perform<Element: Sendable>(
        _ compose: (WindowSpace.Epoch) -> [RedisCommand], decode: @escaping @Sendable (RedisReplies) throws -> [Element]
    ) async throws -> [Element] {
        var generation: WindowKeys?
        while true {
            try Task.checkCancellation()
            guard space.mayWrite() else {
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            guard let epoch = space.epoch else {
                // Windows that are built later have what this operation was to bring.
                if space.isGivenUp { return [] }
                try await waitUntilEstablished()
                continue
            }
            if let generation, generation != epoch.keys { return [] }
            generation = epoch.keys
            let commands = compose(epoch)
            if commands.isEmpty { return [] }
            do {
                return try await connection.send(commands, timeout: nil, decode: decode)
            } catch let error as RedisError {
                try await recover(from: error, epoch: epoch)
            }
        }
    }

    /// Waits until a repetition can succeed. Rethrows errors that a repetition cannot resolve.
    private func recover(from error: RedisError, epoch: WindowSpace.Epoch) async throws {
        logger.debug("window operation failed; will retry", metadata: ["error": "\(error.message)"])
        switch error.code {
        case .server where error.serverCode == "FENCED" || error.serverCode == "NOSCRIPT" || error.isRefusalOfCluster:
            // The state was flushed, another connection of this server has taken over, or another master the windows.
            if space.epoch == epoch { connection.reconnect(because: .fault(error.message)) }
            try await waitUntilEstablished(after: epoch)
        case .unavailable:
            // The command was not sent, so the same epoch is still valid. It may belong to a handshake that has not
            // quite ended.
            try await waitUntilEstablished()
        case .timeout, .connectionLost, .protocolViolation:
            try await waitUntilEstablished(after: epoch)
        case .queueFull:
            try await Task.sleep(for: .milliseconds(5))
        case .server:
            // OOM, LOADING, READONLY, MISCONF: temporary states.
            logger.warning("Redis refused a window operation", metadata: ["error": "\(error.message)"])
            try await Task.sleep(for: .milliseconds(200))
        case .closed, .commandTooLarge, .unexpectedReply, .invalidConfiguration:
            throw error
        }
    }

    private func waitUntilEstablished(after epoch: WindowSpace.Epoch? = nil) async throws {
        while true {
            try await waitUntilUp()
            if space.isGivenUp { return }
            if let current = space.epoch, current != epoch { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits for the connection, unless the shard is given up.
    private func waitUntilUp() async throws {
        guard space.mayBeGivenUp else { return try await connection.waitUntilUp() }
        while connection.state != .up, !space.isGivenUp { try await Task.sleep(for: .milliseconds(10)) }
    }
}

extension RedisCommand {
    /// Appends the position, then the post.
    mutating func append(_ entry: FeedEntry) {
        append(integer: entry.position.rawValue)
        append(integer: entry.post.rawValue)
    }
}
