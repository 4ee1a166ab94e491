import Logging
import RedisClient

extension WindowShard {
    /// Time for which a shard may be down before the others no longer wait for it. A private redis-server that has
    /// ended is back much sooner.
    package static let patience = Duration.seconds(1)

    /// Gives the shard up whenever it has been down for `patience`: its generation ends, so no operation has to wait
    /// for it, and jobs are done when the other shards have taken them. Its readers are answered from SQLite meanwhile,
    /// and their windows are built anew when the shard is back. Runs until the task is cancelled.
    func watch(_ writing: RedisConnection, patience: Duration, logger: Logger) async {
        while !Task.isCancelled {
            if await writing.isUp(within: patience) {
                for await state in writing.states() where state == .down { break }
                continue
            }
            if Task.isCancelled { return }
            do {
                try await space.giveUp()
                // A handshake that has just ended belongs to the generation that is over.
                writing.reconnect(because: .fault("the shard was given up"))
                logger.error(
                    "a shard of the windows does not answer and is given up",
                    metadata: ["shard": "\(number.index)", "redis.endpoint": "\(writing.address)"])
                try await writing.waitUntilUp()
            } catch {
                logger.debug("shard cannot be given up; will retry", metadata: ["error": "\(error)"])
                // For example after the loss of the lease. The pause is that of the next attempt.
                try? await Task.sleep(for: patience)
            }
        }
    }
}
