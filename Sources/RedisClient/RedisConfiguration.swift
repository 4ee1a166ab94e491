/// The address of a Redis and the limits for its use.
package struct RedisConfiguration: Sendable, Equatable {
    /// Default of ``maximumQueuedCommands``.
    static let queuedCommands = 65_536
    /// Default of ``maximumQueuedBytes``.
    static let queuedBytes = 64 << 20
    /// Default of ``maximumReplyBytes``.
    static let replyBytes = 512 << 20
    /// Largest size of a command, in bytes: Redis' own `proto-max-bulk-len`. libhiredis counts a command's bytes in a C
    /// int, so this must stay below 2 GiB.
    static let commandBytes = 512 << 20
    /// `sun_path` has 108 bytes, the last of them NUL.
    static let socketPathBytes = 107

    package enum Endpoint: Sendable, Hashable {
        case unix(path: String)
        case tcp(host: String, port: Int)
    }

    package var endpoint: Endpoint
    package var username: String?
    package var password: String?
    package var database: Int
    /// True for a master of a cluster, whose role and data may change while a connection lives: each reply is confirmed
    /// by the replication id behind it, and a session ends with the history of the data.
    package var confirmsHistory = false
    /// Limit for connecting and for each step of the handshake.
    package var connectTimeout: Duration
    /// Limit from sending a command to its reply; a later reply closes the connection.
    package var commandTimeout: Duration
    /// The same for page reads, which the database answers if Redis takes longer.
    package var readTimeout: Duration
    /// Time for which ``RedisConnection/close()`` waits for replies in flight.
    package var drainTimeout: Duration
    /// Largest number of commands that are not yet answered.
    package var maximumQueuedCommands: Int
    /// Largest number of argument bytes in commands that are not yet answered.
    package var maximumQueuedBytes: Int
    /// Largest part of one reply that may be buffered before it can be parsed, in bytes.
    package var maximumReplyBytes: Int
    package var backoff: RedisBackoff

    package init(endpoint: Endpoint, username: String? = nil, password: String? = nil, database: Int = 0) {
        self.endpoint = endpoint
        self.username = username
        self.password = password
        self.database = database
        connectTimeout = .seconds(2)
        commandTimeout = .seconds(5)
        readTimeout = .milliseconds(500)
        drainTimeout = .seconds(2)
        maximumQueuedCommands = Self.queuedCommands
        maximumQueuedBytes = Self.queuedBytes
        maximumReplyBytes = Self.replyBytes
        backoff = RedisBackoff(minimum: .milliseconds(50), maximum: .seconds(2))
    }

    /// Throws `.invalidConfiguration` for values that would only fail later and with a less clear error.
    func validate() throws {
        switch endpoint {
        case .unix(let path): try RedisConfiguration.validate(socketPath: path)
        case .tcp(let host, let port):
            guard !host.isEmpty, (1...65535).contains(port) else {
                throw RedisError(.invalidConfiguration, "A Redis host and a port from 1 to 65535 are required.")
            }
        }
        guard database >= 0 else {
            throw RedisError(.invalidConfiguration, "The Redis database number must be 0 or greater.")
        }
        guard username == nil || password != nil else {
            throw RedisError(.invalidConfiguration, "A Redis user name requires a password.")
        }
        guard maximumQueuedCommands > 0, (1...Self.commandBytes).contains(maximumQueuedBytes) else {
            throw RedisError(.invalidConfiguration, "The Redis queue must hold between 1 byte and 512 MiB.")
        }
    }

    /// Throws for a path beyond the kernel's limit: libhiredis would cut it and connect to another socket.
    static func validate(socketPath path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0), path.utf8.count <= Self.socketPathBytes else {
            throw RedisError(
                .invalidConfiguration,
                "The unix socket path '\(path)' is \(path.utf8.count) bytes long; a path must have 1 to "
                    + "\(Self.socketPathBytes) bytes. Choose a shorter --data-dir, or give --redis."
            )
        }
    }
}

extension RedisConfiguration {
    /// The forms that ``init(parsing:)`` reads, for messages.
    package static let expected =
        "redis://[:password@]host[:port][/database], host:port, unix:///path/to/redis.sock or an absolute path"
}

extension RedisConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Endpoint and database; never the password.
    package var description: String {
        switch endpoint {
        case .unix(let path): "unix://\(path)?db=\(database)"
        case .tcp(let host, let port): "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
        }
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}

extension RedisConfiguration {
    /// The configuration of page reads, which the database answers if Redis takes longer.
    package var patientWithReads: RedisConfiguration {
        var configuration = self
        configuration.commandTimeout = readTimeout
        return configuration
    }
}
