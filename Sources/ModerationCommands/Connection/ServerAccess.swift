/// The server of a command, and the credentials for it.
struct ServerAccess: Sendable, Equatable {
    let server: String
    let token: String?
    /// The login that holds the token; nil if the token was given explicitly.
    let login: Login?

    /// Flags precede the environment, which precedes a login. The token of a login is only sent to its own server.
    init(_ options: ConnectionOptions, environment: [String: String], login: Login?) throws {
        func given(_ flag: String?, _ variable: String) -> String? {
            [flag, environment[variable]].compactMap { $0 }.first { !$0.isEmpty }
        }
        let server = try Self.base(given(options.server, "GRAPHD_SERVER") ?? login?.server ?? ConnectionOptions.usual)
        self.server = server
        if let token = given(options.token, "GRAPHD_TOKEN") {
            self.token = token
            self.login = nil
        } else {
            let own = login.flatMap { $0.server == server ? $0 : nil }
            token = own?.token
            self.login = own
        }
    }

    /// Returns the URL without a trailing slash.
    static func base(_ text: String) throws -> String {
        var text = text[...]
        while text.last == "/" { text.removeLast() }
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.hasSuffix(":/") else {
            throw ModerationFailure(.badData, "--server must be an address such as \(ConnectionOptions.usual).")
        }
        return String(text)
    }
}
