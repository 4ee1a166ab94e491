/// The limits of the Redis layer.
package enum RedisLimits {
    static let queuedCommands = 65_536
    static let queuedBytes = 64 << 20
    /// Redis' own `proto-max-bulk-len`. libhiredis counts a command's bytes in a C int, so this must stay below 2 GiB.
    static let commandBytes = 512 << 20
    /// Redis refuses a command with more arguments.
    static let commandArguments = 1_048_576
    static let replyBytes = 512 << 20
    /// `sun_path` has 108 bytes, the last of them NUL.
    static let socketPathBytes = 107
    /// Formatted commands are handed to the socket in portions of about this size: libhiredis moves what a partial
    /// write left over, so a portion must be small.
    static let writePortionBytes = 256 << 10
    /// How long after a command the connection that it was sent on counts as in use, for one that gives way to it; and
    /// the arguments of commands under way from which on the latter sends no other. Most arguments are windows, so that
    /// they tell how long Redis is busy: with one push, and the next.
    static let useLasts = Duration.milliseconds(20)
    package static let argumentsInFlightGivingWay = 120
    /// Reads per turn of a connection's loop before it looks at its queue again.
    static let readsPerTurn = 16
}
