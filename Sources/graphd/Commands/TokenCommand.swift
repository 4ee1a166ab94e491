import ArgumentParser
import SocialGraph

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a token for a user, alone on standard output.",
        discussion: """
            This is how an operator acts as a user who has no password, such as an imported one. It needs the data \
            directory, hence the machine; it works beside a serving graphd.

            Example:
              curl -H "Authorization: Bearer $(graphd token u17)" http://127.0.0.1:8080/v1/timelines/home
            """
    )

    @Argument(help: "The user's name.")
    var username: String

    @OptionGroup var directory: DataDirectoryOptions

    @Option(help: "How long the token is valid, such as 12h or 30d.")
    var lifetime = "30d"

    func run() async throws {
        guard let lifetime = DurationText.parse(lifetime) else {
            throw ValidationError("--lifetime must be \(DurationText.expected)")
        }
        let graph = try directory.openExisting()
        guard let account = try await graph.account(username: username) else {
            throw CommandFailure("There is no user named \"\(username)\" in \(directory.path).")
        }
        let tokens = await TokenIssuer(key: try TokenKey.loadOrCreate(inDirectory: directory.path))
        let epoch = try await graph.tokenEpoch(account.id) ?? 0
        print(try await tokens.issue(userID: account.id.rawValue, epoch: Int(epoch), lifetime: lifetime).token)
    }
}
