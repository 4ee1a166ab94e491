import ArgumentParser
import Audit
import CommandSupport
import Database
import Foundation
import GraphServices
import Sessions
import SocialGraph

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print tokens for users, one per line.",
        discussion: """
            Lets an operator act as a user without a password, such as an imported one. It needs access to the data \
            directory; a server may run meanwhile.

            Example:
              curl -H "Authorization: Bearer $(graphd token u17)" http://127.0.0.1:8080/v1/timelines/home
              graphd token --names users.txt > tokens.txt
            """
    )

    @Argument(help: "Usernames.")
    var usernames: [String] = []

    @Option(help: ArgumentHelp("File with more usernames, one per line.", valueName: "file"))
    var names: String?

    @OptionGroup var directory: DataDirectoryOptions

    @Option(help: "Lifetime of the tokens, such as 12h or 30d.")
    var lifetime = "30d"

    func run() async throws {
        let longest = ServerConfiguration.tokenLifetimes.upperBound
        guard let duration = DurationText.parse(lifetime), duration > .zero, duration <= longest else {
            throw ValidationError("--lifetime must be a duration up to 366d, such as 90s, 15m, 12h or 30d")
        }
        let wanted = usernames + (try names.map(Self.lines) ?? [])
        guard !wanted.isEmpty else { throw ValidationError("Name a user, or give a file of usernames with --names.") }
        let graph = try directory.openExisting()
        let tokens = TokenIssuer(keys: try await TokenKeys(in: directory.named().tokenKeys(of: graph)))
        var (texts, notes): ([String], [AuditNote]) = ([], [])
        for username in wanted {
            guard let account = try await graph.accounts.account(username: username) else {
                throw CommandFailure("There is no user named \"\(username)\" in \(directory.path).")
            }
            let epoch = try await graph.accounts.tokenEpoch(account.id) ?? 0
            texts.append(
                try await tokens.issue(userID: account.id.rawValue, epoch: Int(epoch), lifetime: duration).token)
            notes.append(
                AuditNote(
                    .tokenIssued, by: .machineUser, subject: account.id.rawValue, detail: "valid for \(lifetime)"))
        }
        // No token is shown without its entry.
        try await graph.audit.append(notes)
        for text in texts { print(text) }
    }

    private static func lines(_ file: String) throws -> [String] {
        do {
            return try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline).map {
                $0.trimmingCharacters(in: .whitespaces)
            }.filter { !$0.isEmpty }
        } catch { throw CommandFailure("The file \(file) cannot be read: \(error.localizedDescription)") }
    }
}
