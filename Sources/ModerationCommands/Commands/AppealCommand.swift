import ArgumentParser
import CommandSupport
import Database
import Moderation
import SocialGraph
import StrictJSON

/// `graphd appeal …`
struct AppealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "appeal", "Decide appeals, and file your own.",
        examples: ["appeal list", "appeal decide 244120833662976 granted --reason 'It was a joke'"],
        [
            QueueCommand<AppealList>.self, AppealDecideCommand.self, AppealFileCommand.self,
            ListCommand<OwnAppealList>.self,
        ])
}

enum AppealList: ListKind {
    enum Status: String, ExpressibleByArgument, CaseIterable, Sendable { case open, granted, denied, all }

    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only appeals in this community.", valueName: "name"))
        var community: String?

        @Option(help: "Status of the appeals.")
        var status = Status.open

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: "/v1/moderation/appeals",
                query: [("communityId", try await server.communityID(community)), ("status", status.rawValue)])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List appeals.", examples: "appeal list --community Runners", "appeal list --watch")
    static let columns = [
        TableColumn("appeal", "appealId", .whole), TableColumn("at", "createdAt", .time),
        TableColumn("status", "status"),
        TableColumn("user", "user"), TableColumn("against", "entry.action"),
        TableColumn("because of", "entry.reason"), TableColumn("text", "text"),
    ]
}

enum OwnAppealList: ListKind {
    struct Filters: ListFilters {
        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(path: "/v1/appeals")
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "mine", "List your own appeals.", examples: "appeal mine")
    static let columns = [
        TableColumn("appeal", "appealId", .whole), TableColumn("at", "createdAt", .time),
        TableColumn("status", "status"),
        TableColumn("text", "text"),
    ]
}

struct AppealDecideCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "decide", "Grant an appeal, which undoes the appealed action, or deny it.",
        examples: "appeal decide 244120833662976 granted --reason 'It was a joke'")

    enum Decision: String, ExpressibleByArgument, CaseIterable, Sendable { case granted, denied }

    @Argument(help: "Id of the appeal, or - to read ids from standard input, one a line.")
    var appeal: String

    @Argument(help: "The decision.")
    var decision: Decision

    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let ids = try await server.ids(SubjectInput.texts([appeal]), of: .appeal)
        let draft = OrderDraft(
            action: .decideAppeal, subjects: ids, names: ids, reason: order.reason ?? decision.rawValue,
            note: order.note, details: [JSONMember(name: "decision", value: .string(decision.rawValue))])
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}

struct AppealFileCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "file", "Appeal against an action taken against you.", "'graphd modlog mine' lists the entries.",
        examples: "appeal file 244120833662976 --text 'I was quoting somebody'")

    @Argument(help: "Id of the modlog entry.")
    var entry: String

    @Option(help: "Why the action should be undone.")
    var text: String

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let body = JSONValue.members(("entryId", .string(entry)), ("text", .string(text)))
        let change = PlannedChange(
            method: "POST", path: "/v1/appeals", body: body, sentence: "Appeal against \(entry): \(text)")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
