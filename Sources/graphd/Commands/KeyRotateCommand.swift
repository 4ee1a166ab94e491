import ArgumentParser
import CommandSupport
import Database
import GraphServices
import SocialGraph

struct KeyRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Sign tokens with a new key from now on.",
        discussion: """
            A running server takes up the new key within a second, and nobody has to log in again: the old key \
            verifies until the last token that it signed has expired.

            With --revoke the old keys end at once: for a key that somebody else may have read. Every bearer token is \
            dead then, those of 'graphd token' included; refresh tokens stay good, since no key signs them.

            Example:
              graphd key rotate
              graphd key rotate --revoke

            Exit status: 0, 1 failure, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "End the old keys, and every token that they signed, at once.")
    var revoke = false

    func run() async throws {
        _ = try DataDirectory.open(at: directory.path)
        do {
            let ring = try TokenKeyRing.rotate(
                inDirectory: directory.path, now: SystemClock.milliseconds(), revoking: revoke)
            print(ring.signing.id)
        } catch let failure as TokenKey.Unusable {
            throw CommandFailure("The key cannot be rotated: \(failure).")
        }
    }
}
