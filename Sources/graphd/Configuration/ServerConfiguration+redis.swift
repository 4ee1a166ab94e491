import Timeline

extension ServerConfiguration {
    /// Reads the Redis that the settings name, or the number of private ones.
    mutating func readRedis(_ sources: SettingSources) throws {
        try sources.read(.redis, WindowServers.expected, into: &redis) {
            (try? WindowServers(parsing: $0)).map { .some($0) }
        }
        try sources.read(.redisShards, Self.wholeNumber(ShardNumber.counts), into: &redisShards) {
            Self.number($0, in: ShardNumber.counts)
        }
        guard redis == nil || redisShards == 1 else {
            throw ConfigurationError(
                description: "\(Setting.redisShards.flag) is the number of redis-servers that graphd runs, so it must "
                    + "be 1 with \(Setting.redis.flag); got \"\(redisShards)\"")
        }
    }
}
