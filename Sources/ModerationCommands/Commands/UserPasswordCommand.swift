import ArgumentParser
import Audit
import CommandSupport
import Database
import GraphServices
import Sessions
import SocialGraph
import StrictJSON

/// Sets a user's password on the machine itself, for an owner who cannot receive mail.
struct UserPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "password", "Set a user's password, and end every session of the user.",
        """
        It changes the data directory directly, even while a server runs, and takes effect at once. The command \
        prompts for the password twice, or reads it from the first line of standard input if that is not a terminal.
        """,
        examples: "user password ada --data-dir data", "user password ada --data-dir data < password.txt")

    @Argument(help: "Username.")
    var username: String

    @OptionGroup var directory: DataDirectoryOptions

    func run() async throws {
        try await MessageOnFailure.run {
            let (graph, account) = try await directory.account(named: username)
            let password = try Self.password(of: account)
            let hash: String
            do {
                hash = try await PasswordHasher(concurrent: 1, waiting: 1).hash(
                    password, of: [account.username, account.email].compactMap(\.self), for: WorkCaller(.server))
            } catch let problem as Problem {
                throw ModerationFailure(.badData, problem.detail)
            }
            let note = AuditNote(.passwordReplaced, by: .machineUser, subject: account.id.rawValue)
            try await graph.audit.recording(note) { transaction in
                try SessionStore.Writer(transaction).replacePassword(
                    of: account.id, with: hash, from: LoginOrigin(address: nil, userAgent: "graphd user password"))
                return true
            }
            print(
                TerminalText.safe("\(account.username) has a new password. Every session of the user has ended."))
        }
    }

    private static func password(of account: Account) throws -> String {
        guard let password = PasswordPrompt.read("New password of \(account.username): ") else {
            throw ModerationFailure(.badData, "No password was given.")
        }
        if PasswordPrompt.isTerminal, PasswordPrompt.read("Again: ") != password {
            throw ModerationFailure(.badData, "The two passwords differ.")
        }
        return password
    }
}
