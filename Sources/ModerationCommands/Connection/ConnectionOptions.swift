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
            "A token. Others on this machine can see it; better: GRAPHD_TOKEN of the environment, or 'graphd login'.",
            valueName: "token"))
    var token: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(name: [.customLong("yes"), .customShort("y")], help: "Do not ask before changing something.")
    var yes = false

    static let usual = "http://127.0.0.1:8080"
}
