import ArgumentParser
import Audit
import CommandSupport
import Database
import GraphServices
import Sessions
import SocialGraph

struct KeyRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Start signing tokens with a new key.",
        discussion: """
            The running servers use the new key within a second. Nobody has to log in again, because the old key \
            verifies tokens until the last one that it signed has expired.

            With --revoke the old keys are revoked at once. Use it if somebody else may have read a key. It \
            invalidates every bearer token, including those of 'graphd token'; refresh tokens stay valid, because no \
            key signs them.

            Example:
              graphd key rotate
              graphd key rotate --revoke

            Exit status: 0, 1 failure, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Revoke the old keys, and every token that they signed, at once.")
    var revoke = false

    func run() async throws {
        let graph = try directory.openExisting()
        do {
            let place = try await directory.named().tokenKeys(of: graph)
            let ring = try await place.rotate(now: SystemClock.milliseconds(), revoking: revoke)
            // After the rotation, which may be a change of files and be refused.
            try await graph.audit.append([
                AuditNote(.keyRotated, by: .machineUser, detail: revoke ? "old keys revoked" : nil)
            ])
            print(ring.signing.id)
        } catch let failure as TokenKey.Unusable {
            throw CommandFailure("The key cannot be rotated: \(failure).")
        }
    }
}
