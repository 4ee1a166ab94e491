import RedisClient

/// One Redis and its share of the windows: a generation and a fence of its own, a connection that changes windows, and
/// one that reads them.
package struct WindowShard: Sendable {
    let number: ShardNumber
    let space: WindowSpace
    /// The only connection that changes windows. Its handshake decides whether the existing windows can be trusted.
    let writing: RedisConnection
    /// The connection of page reads. It is separate, so that they do not queue behind bulk pushes, which give way to
    /// them, and it has a shorter time-out.
    let reading: RedisConnection
    let writer: WindowWriter
    let reader: WindowReader

    /// Returns whether windows of the shard are being read and written. Sends a command to Redis, since a frozen Redis
    /// keeps its connections.
    func answers() async -> Bool {
        guard writing.state == .up, space.keys != nil else { return false }
        return (try? await reading.send(RedisCommand("PING")) { try $0.text }) == "PONG"
    }
}
