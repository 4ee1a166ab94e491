import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// `graphd modlog …`
struct ModlogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "modlog", "Read the modlog, and verify that it has not been rewritten.",
        examples: ["modlog list --community Runners", "modlog verify"],
        [
            ListCommand<ModlogList>.self, ModlogVerifyCommand.self, ModlogEraseNoteCommand.self,
            ListCommand<PublicModlog>.self, ListCommand<OwnModlog>.self,
        ])
}

enum ModlogList: ListKind {
    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only entries of this community.", valueName: "name"))
        var community: String?

        @Option(help: ArgumentHelp("Only actions by this moderator.", valueName: "username"))
        var actor: String?

        @Option(help: ArgumentHelp("Only entries about this user.", valueName: "username"))
        var user: String?

        @Option(help: ArgumentHelp("Only entries about this post.", valueName: "id"))
        var post: String?

        @Option(help: ArgumentHelp("Only entries about this comment.", valueName: "id"))
        var comment: String?

        @Option(help: ArgumentHelp("Only entries of this batch.", valueName: "id"))
        var batch: String?

        @Option(help: ArgumentHelp("Only this action, such as banMember.", valueName: "action"))
        var action: ModerationAction?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: "/v1/moderation/modlog",
                query: [
                    ("communityId", try await server.communityID(community)),
                    ("actorId", try await server.userID(actor)), ("userId", try await server.userID(user)),
                    ("postId", try post.map { try SubjectInput.id($0, of: .post) }),
                    ("commentId", try comment.map { try SubjectInput.id($0, of: .comment) }), ("batch", batch),
                    ("action", action?.rawValue),
                ])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List moderation actions, newest first.",
        examples: "modlog list --community Runners", "modlog list --user cyd --all --json")
    static let columns = [
        TableColumn("entry", "entryId", .whole), TableColumn("at", "createdAt", .time), TableColumn("actor", "actor"),
        TableColumn("action", "action"), TableColumn("subject", "subject", .subject),
        TableColumn("user", "user", isDispensable: true),
        TableColumn("in", "community", isDispensable: true),
        TableColumn("ends", "expiresAt", .time, isDispensable: true), TableColumn("batch", "batch", .whole),
        TableColumn("reason", "reason"),
    ]
}

extension ModlogList {
    /// The columns of the list of entries in a record.
    static let inRecords = ["entries": columns]
}

extension ModerationAction: ExpressibleByArgument {}

enum PublicModlog: ListKind {
    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only entries of this community.", valueName: "name"))
        var community: String?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(path: "/v1/modlog", query: [("communityId", try await server.communityID(community))])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "public", "List the public modlog.", examples: "modlog public --community Runners")
    static let columns = [
        TableColumn("entry", "entryId", .whole), TableColumn("at", "createdAt", .time), TableColumn("action", "action"),
        TableColumn("subject", "subject", .subject), TableColumn("in", "community"),
        TableColumn("ends", "expiresAt", .time), TableColumn("reason", "reason"),
    ]
}

enum OwnModlog: ListKind {
    struct Filters: ListFilters {
        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(path: "/v1/me/moderation")
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "mine", "List actions against you that can be appealed.", examples: "modlog mine")
    static let columns = PublicModlog.columns + [TableColumn("appeal", "appeal")]
}

struct ModlogVerifyCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "verify", "Verify the hash chain of the whole modlog.",
        """
        Prints the head, which is the digest of the last entry. Store a head elsewhere and pass it to --expect later: \
        the modlog must then still have the entry with that digest, which proves that it was not rewritten as a \
        whole. Exit status 1 if the verification fails.
        """,
        examples: "modlog verify",
        "modlog verify --expect 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")

    @Option(help: ArgumentHelp("A head that an earlier run printed.", valueName: "digest"))
    var expect: String?

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        var record = try await server.get("/v1/moderation/modlog/verify")
        var holds = record.member("valid")?.isTrue == true
        if let expect = expect?.lowercased() {
            var isThere = record.member("head")?.stringValue == expect
            if !isThere { isThere = try await server.hasModlogEntry(withDigest: expect) }
            record = record.setting("expected", to: .bool(isThere))
            holds = holds && isThere
        }
        show(record) { RecordRendering.lines(record, on: $0) }
        guard holds else { throw ModerationFailure(.failed, "The modlog has been altered.") }
    }
}

struct ModlogEraseNoteCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "erase-note", "Erase the note of an entry; the chain stays valid. For admins. This cannot be undone.",
        examples: "modlog erase-note 244120833662976")

    @Argument(help: "Id of the entry.")
    var entry: String

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        guard ModerationServer.isID(entry) else {
            throw ModerationFailure(.badData, "\"\(entry)\" is not an entry. Give its id, a number.")
        }
        let change = PlannedChange(
            method: "DELETE", path: "/v1/moderation/modlog/\(entry)/note",
            sentence: "Erase the note of entry \(entry). This cannot be undone.")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
