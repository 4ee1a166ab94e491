import ArgumentParser
import CommandSupport
import Database
import Moderation
import SocialGraph
import StrictJSON

/// `graphd member …`
struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "member", "List and ban members of a community, and change their roles.",
        examples: [
            "member list --community Runners", "member ban cyd --community Runners --reason Spam --for 7d",
            "member role bob moderator --community Runners",
        ],
        [
            ListCommand<MemberList>.self, MemberShowCommand.self, OrderCommand<BanMember>.self,
            OrderCommand<UnbanMember>.self, MemberRoleCommand.self, OrderCommand<WarnMember>.self,
        ])
}

enum MemberList: ListKind {
    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Name of the community.", valueName: "name"))
        var community: String

        @Option(
            name: [.customLong("query"), .customShort("q")],
            help: ArgumentHelp("Beginning of a username.", valueName: "text"))
        var query: String?

        @Flag(help: "List banned users instead.")
        var banned = false

        func request(on server: ModerationServer) async throws -> ListRequest {
            let id: String = try await server.communityID(community)
            return ListRequest(
                path: "/v1/moderation/communities/\(id)/members",
                query: [("q", query), ("banned", banned ? "true" : nil)])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List members with roles and strikes, or banned users.",
        examples: "member list --community Runners", "member list --community Runners --banned")
    static let columns = MemberColumns.all
}

enum MemberColumns {
    static let all = [
        TableColumn("user", "username|user"), TableColumn("role", "role"), TableColumn("joined", "joinedAt", .time),
        TableColumn("strikes", "strikes"), TableColumn("banned since", "since", .time),
        TableColumn("ends", "endsAt", .time), TableColumn("reason", "reason"),
    ]
}

struct MemberShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a member of a community with strikes and history.",
        examples: "member show cyd --community Runners")

    @Argument(help: "Username of the member.")
    var username: String

    @OptionGroup var scope: RequiredCommunity
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let community: String = try await server.communityID(scope.name)
        let user: String = try await server.userID(username)
        let record = try await server.get("/v1/moderation/users/\(user)", [("communityId", community)])
        show(record) { RecordRendering.lines(record, on: $0, columns: ModlogList.inRecords) }
    }
}

struct MemberRoleCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "role", "Change the role of members: moderator or member.",
        examples: "member role bob moderator --community Runners", "member role - member --community Runners < names")

    enum Role: String, ExpressibleByArgument, CaseIterable, Sendable { case moderator, member }

    @Argument(help: "Username, or - to read usernames from standard input, one a line.")
    var username: String

    @Argument(help: "New role.")
    var role: Role

    @OptionGroup var scope: RequiredCommunity
    @OptionGroup var ending: EndingOptions
    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let community: String = try await server.communityID(scope.name)
        let names = try SubjectInput.texts([username])
        let draft = OrderDraft(
            action: .setMemberRole, subjects: try await server.ids(names, of: .user), names: names,
            communityID: community, reason: order.reason ?? "is \(role.rawValue) now", note: order.note,
            details: [JSONMember(name: "role", value: .string(role.rawValue))] + (try ending.members()))
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }
}

enum BanMember: OrderKind {
    typealias Scope = RequiredCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .banMember, "ban", "Ban users from a community.",
        "member ban cyd --community Runners --reason 'Spam, again' --for 7d",
        "member ban - --community Runners --reason Raid --yes < usernames.txt")
}

enum UnbanMember: OrderKind {
    typealias Scope = RequiredCommunity
    static let description = OrderDescription(
        .unbanMember, "unban", "Lift bans, and restore the memberships that they ended.",
        "member unban cyd --community Runners", usualReason: "unbanned")
}

enum WarnMember: OrderKind {
    typealias Scope = RequiredCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .warnUser, "warn", "Warn members; each warning is a strike in the community.",
        "member warn cyd --community Runners --reason 'No advertisements here' --for 90d")
}
