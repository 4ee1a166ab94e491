import ArgumentParser

/// The options common to all moderation commands.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server. (default: GRAPHD_SERVER of the environment, else that of the login, else \(Self.usual))",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Bearer token. Other users of this machine can see it; prefer GRAPHD_TOKEN or 'graphd login'.",
            valueName: "token"))
    var token: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(name: [.customLong("yes"), .customShort("y")], help: "Do not ask before changing anything.")
    var yes = false

    static let usual = "http://127.0.0.1:8080"
}
