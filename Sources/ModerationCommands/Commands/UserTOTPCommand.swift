import ArgumentParser
import Audit
import CommandSupport
import Database
import Sessions
import SocialGraph
import StrictJSON

/// Removes a user's second factor on the machine itself, for an owner who has lost the authenticator and the recovery
/// codes.
struct UserTOTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "totp", "Say whether a user has an authenticator (TOTP), or remove it.",
        """
        It reads or changes the data directory directly, even while a server runs, and takes effect at once. The \
        password and the sessions of the user stay as they are. Make sure that it is the owner who asks.
        """,
        examples: "user totp ada --data-dir data", "user totp ada --remove --data-dir data")

    @Argument(help: "Username.")
    var username: String

    @Flag(help: "Remove the authenticator and the recovery codes.")
    var remove = false

    @OptionGroup var directory: DataDirectoryOptions

    func run() async throws {
        try await MessageOnFailure.run {
            let (graph, account) = try await directory.account(named: username)
            print(TerminalText.safe(try await sentence(about: account, graph)))
        }
    }

    private func sentence(about account: Account, _ graph: GraphStore) async throws -> String {
        let state = try await graph.totp.state(of: account.id)
        guard state.isEnabled else { return "\(account.username) has no authenticator." }
        guard remove else {
            return "\(account.username) has an authenticator and \(state.recoveryCodesLeft) unused recovery codes."
        }
        let note = AuditNote(.authenticatorRemoved, by: .machineUser, subject: account.id.rawValue)
        try await graph.audit.recording(note) { transaction in
            try TOTPStore.Writer(transaction).removeUnproven(
                of: account.id, from: LoginOrigin(address: nil, userAgent: "graphd user totp"))
        }
        return "\(account.username) logs in without a code now."
    }
}
