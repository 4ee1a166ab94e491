/// The addresses of some nodes of a Redis Cluster, and the limits for its use.
package struct RedisClusterConfiguration: Sendable, Equatable {
    package typealias Endpoint = RedisConfiguration.Endpoint

    package static let scheme = "redis-cluster://"
    /// The form that ``init(parsing:)`` reads, for messages.
    package static let expected = "redis-cluster://[user:password@]host[:port],host[:port],…"

    /// Nodes to ask for the others, at least one.
    package var seeds: [Endpoint]
    /// Credentials and limits of the connection to each node. Its endpoint is that of the first seed.
    package var node: RedisConfiguration

    /// Throws `.invalidConfiguration`, whose message says what would be right and never repeats the password.
    package init(parsing text: String) throws {
        guard text.hasPrefix(Self.scheme) else { throw Self.malformed("the scheme is missing") }
        let rest = text.dropFirst(Self.scheme.count)
        guard !rest.contains("/"), !rest.contains("?"), !rest.contains("#") else {
            throw Self.malformed(
                "a cluster has only database 0 and takes no options; '/', '?' and '#' in a password "
                    + "are written %2F, %3F and %23")
        }
        let at = rest.lastIndex(of: "@")
        let credentials = at.map { rest[...$0] } ?? ""
        let hosts = (at.map { rest[rest.index(after: $0)...] } ?? rest)
            .split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.allSatisfy({ !$0.isEmpty }) else { throw Self.malformed("a host is missing") }
        let nodes = try hosts.map { try RedisConfiguration(parsing: "redis://\(credentials)\($0)") }
        node = nodes[0]
        seeds = nodes.map(\.endpoint)
    }

    private static func malformed(_ reason: String) -> RedisError {
        RedisError(.invalidConfiguration, "Not the address of a Redis Cluster: \(reason). Write \(expected).")
    }

    /// The configuration for connections to one master.
    package func node(at endpoint: Endpoint) -> RedisConfiguration {
        var configuration = node
        configuration.endpoint = endpoint
        configuration.confirmsHistory = true
        return configuration
    }
}

extension RedisClusterConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The seeds; never the password.
    package var description: String { Self.scheme + seeds.map(\.authority).joined(separator: ",") }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["seeds": description]) }
}

extension RedisConfiguration.Endpoint {
    /// `host:port`, with an IPv6 address in brackets, or the path of a socket.
    package var authority: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}
