import RedisClient

/// The Redis that holds the windows.
package enum WindowServers: Sendable, Equatable {
    /// At least one server, each with a share of the windows.
    case servers([RedisConfiguration])
    case cluster(RedisClusterConfiguration)

    /// The forms that ``init(parsing:)`` reads, for messages.
    package static let expected = "\(RedisConfiguration.expected), or \(RedisClusterConfiguration.expected)"

    /// Reads the address of one server or of a cluster.
    ///
    /// Throws ``RedisError`` `.invalidConfiguration`, whose message says what would be right and never repeats the
    /// password.
    package init(parsing text: String) throws {
        self =
            text.hasPrefix(RedisClusterConfiguration.scheme)
            ? .cluster(try RedisClusterConfiguration(parsing: text)) : .servers([try RedisConfiguration(parsing: text)])
    }

    /// Number of shards over which the windows are distributed. In a cluster each bucket is one.
    var shards: Int {
        switch self {
        case .servers(let servers): servers.count
        case .cluster: RedisBucket.count
        }
    }
}
