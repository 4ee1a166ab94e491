import ArgumentParser
import Audit
import CommandSupport
import Database
import GraphServices
import Sessions
import SocialGraph
import StrictJSON

/// Tokens of the operator's programs, on the machine itself.
struct ServiceTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "service-token", "Manage the tokens of transcoders, transcribers and other programs.",
        examples: [
            "service-token add transcoder --scope media:renditions --data-dir data",
            "service-token list --data-dir data",
            "service-token revoke 244120790000000 --data-dir data",
        ],
        [ServiceTokenAddCommand.self, ServiceTokenListCommand.self, ServiceTokenRevokeCommand.self])
}

struct ServiceTokenAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "add", "Add a service token, and print it alone on standard output.",
        """
        The token is shown only now: the data directory keeps its digest. It opens nothing but the acts of its scopes: \
        media:renditions adds and removes renditions of files, transcripts:write replaces transcripts. The command \
        changes the data directory directly, even while a server runs, and takes effect at once.
        """,
        examples: "service-token add transcriber --scope transcripts:write --data-dir data")

    @Argument(help: "Name of the token, by which the list and the audit call it.")
    var name: String

    @Option(
        name: .customLong("scope"),
        help: "An act that the token is for: media:renditions or transcripts:write. May be repeated.")
    var scopes: [ServiceScope] = []

    @OptionGroup var directory: DataDirectoryOptions

    func validate() throws {
        guard !scopes.isEmpty else { throw ValidationError("Give a --scope: media:renditions or transcripts:write.") }
    }

    func run() async throws {
        try await MessageOnFailure.run {
            let graph = try directory.openExisting()
            do {
                let name = try TextRules.title(name, field: "name", maxLength: SessionLimits.serviceTokenNameLength)
                let added = try await graph.serviceTokens.add(named: name, scopes: Set(scopes), by: .machineUser)
                print(added.text.text)
            } catch let problem as Problem {
                throw ModerationFailure(.badData, problem.detail)
            } catch ServiceTokenRefusal.nameTaken {
                throw ModerationFailure(.badData, "There is a service token of this name.")
            } catch GraphError.limitReached(let limit) {
                throw ModerationFailure(.badData, "There are \(limit) already. Revoke one first.")
            }
        }
    }
}

struct ServiceTokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "list", "List the service tokens, oldest first.", "The tokens themselves are not stored.",
        examples: "service-token list --data-dir data", "service-token list --json")

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var directory: DataDirectoryOptions

    static let columns = [
        TableColumn("token", "tokenId", .whole), TableColumn("name", "name"), TableColumn("scopes", "scopes"),
        TableColumn("created", "createdAt", .time),
    ]

    func run() async throws {
        try await MessageOnFailure.run {
            let tokens = try await directory.openExisting().serviceTokens.tokens()
            if json {
                print(ListAnswer.json(tokens.map { Self.object($0, inTable: false) }, next: nil).terminalText)
            } else {
                let items = tokens.map { Self.object($0, inTable: true) }
                for line in ListAnswer.lines(Self.columns, items, hasMore: false, on: .standard()) { print(line) }
            }
        }
    }

    /// Returns the token in the format of the server.
    ///
    /// - Parameter inTable: true for scopes as one text.
    private static func object(_ token: ServiceToken, inTable: Bool) -> JSONValue {
        .members(
            ("tokenId", .string(String(token.id))), ("name", .string(token.name)),
            (
                "scopes",
                inTable
                    ? .string(token.scopeNames.joined(separator: " ")) : .array(token.scopeNames.map { .string($0) })
            ), ("createdAt", .string(EndTime.text(token.createdAt))))
    }
}

struct ServiceTokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "revoke", "End a service token at once.", examples: "service-token revoke 244120790000000 --data-dir data")

    @Argument(help: "Id of the token, from the list.")
    var id: Int64

    @OptionGroup var directory: DataDirectoryOptions

    func run() async throws {
        try await MessageOnFailure.run {
            guard try await directory.openExisting().serviceTokens.revoke(id, by: .machineUser) else {
                throw ModerationFailure(.notFound, "There is no service token \(id) in \(directory.path).")
            }
            print("The service token \(id) is refused now.")
        }
    }
}

extension ServiceScope: ExpressibleByArgument {}
