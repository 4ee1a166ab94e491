extension RedisConfiguration {
    /// Reads `redis://[[user]:password@]host[:port][/database]`, `host:port`, `unix:///path[?db=1&password=…&user=…]`
    /// or a bare absolute path. Percent-escapes are decoded in user, password, host and path.
    ///
    /// Throws ``RedisError`` `.invalidConfiguration`, whose message says what would be right and never repeats the
    /// password.
    package init(parsing text: String) throws {
        if text.hasPrefix("/") {
            self.init(endpoint: .unix(path: text))
        } else if let rest = text.dropping(prefix: "redis://") {
            self = try RedisConfiguration.tcp(rest)
        } else if !text.contains("://"), text.contains(":") {
            self = try RedisConfiguration.tcp(text[...])
        } else if let rest = text.dropping(prefix: "unix://") {
            self = try RedisConfiguration.unix(rest)
        } else if text.hasPrefix("rediss://") {
            throw RedisError(
                .invalidConfiguration,
                "rediss:// is not supported: libhiredis 0.14 has no TLS. "
                    + "Use redis:// over a private network or a tunnel."
            )
        } else {
            throw RedisURL.malformed("it has none of the three forms")
        }
        try validate()
    }

    private static func tcp(_ text: Substring) throws -> RedisConfiguration {
        guard !text.contains("?"), !text.contains("#") else { throw RedisURL.malformed("redis:// takes no options") }
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        let authority = text[..<slash]
        let at = authority.lastIndex(of: "@")
        let (host, port) = try RedisURL.hostAndPort(at.map { authority[authority.index(after: $0)...] } ?? authority)
        var configuration = RedisConfiguration(endpoint: .tcp(host: host, port: port))
        if let at {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw RedisURL.malformed("a password must be given as user:password@ or :password@")
            }
            configuration.username = parts[0].isEmpty ? nil : try RedisURL.decode(parts[0])
            configuration.password = try RedisURL.decode(parts[1])
        }
        let database = text[slash...].dropFirst()
        if !database.isEmpty { configuration.database = try RedisURL.number(database) }
        return configuration
    }

    private static func unix(_ text: Substring) throws -> RedisConfiguration {
        guard text.hasPrefix("/") else { throw RedisURL.malformed("a unix:// path must be absolute: unix:///path") }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var configuration = RedisConfiguration(endpoint: .unix(path: try RedisURL.decode(parts[0])))
        guard parts.count == 2 else { return configuration }
        for option in parts[1].split(separator: "&") {
            let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw RedisURL.malformed("an option must be name=value") }
            switch pair[0] {
            case "db": configuration.database = try RedisURL.number(pair[1])
            case "password": configuration.password = try RedisURL.decode(pair[1])
            case "user": configuration.username = try RedisURL.decode(pair[1])
            default: throw RedisURL.malformed("the only options are db, user and password")
            }
        }
        return configuration
    }
}

private enum RedisURL {
    static func malformed(_ reason: StaticString) -> RedisError {
        RedisError(
            .invalidConfiguration,
            "Not a Redis address: \(reason). Write redis://[user:password@]host:port/db, "
                + "unix:///path/redis.sock?db=1&password=… or /path/redis.sock."
        )
    }

    static func hostAndPort(_ text: Substring) throws -> (String, Int) {
        let host: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw malformed("'[' without ']'") }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            rest = text[colon...]
        }
        guard !host.isEmpty else { throw malformed("the host is missing") }
        guard !rest.isEmpty else { return (try decode(host), 6379) }
        guard rest.removeFirst() == ":" else { throw malformed("only a port may follow the host") }
        return (try decode(host), try number(rest))
    }

    static func number(_ text: Substring) throws -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text) else {
            throw malformed("port and database must be whole numbers")
        }
        return number
    }

    static func decode(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else {
                throw malformed("'%' must be followed by two hexadecimal digits")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw malformed("an escape is not UTF-8 text")
        }
        return decoded
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
