/// Which server a command talks to, and as whom.
struct ServerAccess: Sendable, Equatable {
    let server: String
    let token: String?
    /// The login that the token is from; nil: it was given.
    let login: Login?

    /// A flag comes before the environment, and that before a login. The token of a login goes to its own server only.
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

    /// The URL without a slash at its end.
    static func base(_ text: String) throws -> String {
        var text = text[...]
        while text.last == "/" { text.removeLast() }
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.hasSuffix(":/") else {
            throw ModerationFailure(.badData, "--server takes an address such as \(ConnectionOptions.usual).")
        }
        return String(text)
    }
}
