import ArgumentParser
import CommandSupport

enum CommunityList: ListKind {
    struct Filters: ListFilters {
        @Option(
            name: [.customLong("query"), .customShort("q")],
            help: ArgumentHelp("Words in the name.", valueName: "words"))
        var query: String?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(path: "/v1/moderation/communities", query: [("q", query)])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List the communities that you moderate, with their queues; site moderators see all.",
        examples: "community list", "community list -q run --json")
    static let columns = [
        TableColumn("id", "communityId", .whole), TableColumn("name", "name"), TableColumn("role", "role"),
        TableColumn("members", "membersCount"), TableColumn("reports", "openReports"), TableColumn("held", "held"),
        TableColumn("private", "private", .flag), TableColumn("locked", "locked", .flag),
        TableColumn("archived", "archived", .flag),
    ]
}

struct CommunityShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a community with its moderators, pinned and featured posts.", examples: "community show Runners")

    @Argument(help: "Name of the community.")
    var community: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let id: String = try await server.communityID(community)
        let record = try await server.get("/v1/moderation/communities/\(id)")
        show(record) { RecordRendering.lines(record, on: $0) }
    }
}

enum CommunityMembers: ListKind {
    struct Filters: ListFilters {
        @Argument(help: "Name of the community.")
        var community: String

        @Flag(help: "List banned users instead.")
        var banned = false

        func request(on server: ModerationServer) async throws -> ListRequest {
            let id: String = try await server.communityID(community)
            return ListRequest(
                path: "/v1/moderation/communities/\(id)/members", query: [("banned", banned ? "true" : nil)])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "members", "List members with roles and strikes, or banned users.",
        examples: "community members Runners", "community members Runners --banned")
    static let columns = MemberColumns.all
}

enum JoinRequestList: ListKind {
    struct Filters: ListFilters {
        @Argument(help: "Name of the community.")
        var community: String

        func request(on server: ModerationServer) async throws -> ListRequest {
            let id: String = try await server.communityID(community)
            return ListRequest(path: "/v1/communities/\(id)/requests")
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "requests", "List requests to join a private community.", examples: "community requests Runners")
    static let columns = [TableColumn("username", "username"), TableColumn("id", "userId", .whole)]
}
