import ArgumentParser
import CommandSupport
import Database
import Foundation
import GraphServices
import SocialGraph

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print tokens for users, one a line and nothing else, on standard output.",
        discussion: """
            This is how an operator acts as a user who has no password, such as an imported one. It needs the data \
            directory, hence the machine; it works beside a serving graphd.

            Example:
              curl -H "Authorization: Bearer $(graphd token u17)" http://127.0.0.1:8080/v1/timelines/home
              graphd token --names users.txt > tokens.txt
            """
    )

    @Argument(help: "The users' names.")
    var usernames: [String] = []

    @Option(help: ArgumentHelp("More names, one a line.", valueName: "file"))
    var names: String?

    @OptionGroup var directory: DataDirectoryOptions

    @Option(help: "How long the token is valid, such as 12h or 30d.")
    var lifetime = "30d"

    func run() async throws {
        guard let lifetime = DurationText.parse(lifetime) else {
            throw ValidationError("--lifetime must be \(DurationText.expected)")
        }
        let wanted = usernames + (try names.map(Self.lines) ?? [])
        guard !wanted.isEmpty else { throw ValidationError("Name a user, or a file of names with --names.") }
        let graph = try directory.openExisting()
        let tokens = TokenIssuer(keys: try await TokenKeys(directory: directory.path))
        for username in wanted {
            guard let account = try await graph.accounts.account(username: username) else {
                throw CommandFailure("There is no user named \"\(username)\" in \(directory.path).")
            }
            let epoch = try await graph.accounts.tokenEpoch(account.id) ?? 0
            print(try await tokens.issue(userID: account.id.rawValue, epoch: Int(epoch), lifetime: lifetime).token)
        }
    }

    private static func lines(_ file: String) throws -> [String] {
        do {
            return try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline).map {
                $0.trimmingCharacters(in: .whitespaces)
            }.filter { !$0.isEmpty }
        } catch { throw CommandFailure("The file \(file) cannot be read: \(error.localizedDescription)") }
    }
}
