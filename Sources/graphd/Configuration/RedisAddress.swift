/// Where an outside Redis is: `redis://[[user]:password@]host[:port][/database]`, `host:port`, `unix:///path`, a path.
struct RedisAddress: Sendable, Equatable {
    enum Endpoint: Sendable, Equatable {
        case unix(path: String)
        case tcp(host: String, port: Int)
    }

    let endpoint: Endpoint
    let username: String?
    let password: String?
    let database: Int

    static let expected =
        "redis://[:password@]host[:port][/database], host:port, unix:///path/to/redis.sock or an absolute path"

    private static let defaultPort = 6379

    init(endpoint: Endpoint, username: String? = nil, password: String? = nil, database: Int = 0) {
        self.endpoint = endpoint
        self.username = username
        self.password = password
        self.database = database
    }

    /// Nil if the text is in none of the forms.
    init?(_ text: String) {
        if text.hasPrefix("/") {
            self.init(endpoint: .unix(path: text))
        } else if text.hasPrefix("unix:///") {
            self.init(endpoint: .unix(path: String(text.dropFirst("unix://".count))))
        } else if text.hasPrefix("redis://") {
            self.init(afterScheme: text.dropFirst("redis://".count))
        } else if !text.contains("://"), let endpoint = Self.tcp(text[...], portRequired: true) {
            self.init(endpoint: endpoint)
        } else {
            return nil
        }
    }

    private init?(afterScheme text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var authority = parts[0]
        var username: String?
        var password: String?
        if let at = authority.lastIndex(of: "@") {
            let login = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard login.count == 2 else {
                return nil
            }
            username = login[0].isEmpty ? nil : String(login[0])
            password = String(login[1])
            authority = authority[authority.index(after: at)...]
        }
        let databaseText = parts.count == 2 && !parts[1].isEmpty ? parts[1] : "0"
        guard let endpoint = Self.tcp(authority, portRequired: false), let database = Int(databaseText), database >= 0
        else {
            return nil
        }
        self.init(endpoint: endpoint, username: username, password: password, database: database)
    }

    private static func tcp(_ text: Substring, portRequired: Bool) -> Endpoint? {
        let colon = text.lastIndex { $0 == ":" || $0 == "]" }.flatMap { text[$0] == ":" ? $0 : nil }
        guard colon != nil || !portRequired else {
            return nil
        }
        var host = colon.map { text[..<$0] } ?? text
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        let port = colon.map { Int(text[text.index(after: $0)...]) } ?? defaultPort
        guard let port, (1...65535).contains(port), !host.isEmpty, !host.contains(" ") else {
            return nil
        }
        return .tcp(host: String(host), port: port)
    }
}

extension RedisAddress: CustomStringConvertible {
    /// For the log: without the password.
    var description: String {
        switch endpoint {
        case .unix(let path): "unix://\(path)"
        case .tcp(let host, let port): "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
        }
    }
}
