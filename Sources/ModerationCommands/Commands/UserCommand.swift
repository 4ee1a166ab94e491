import ArgumentParser
import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// `graphd user …`
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "user", "Inspect and moderate users of the site.",
        examples: [
            "user show cyd", "user suspend cyd --reason 'Spam, again' --for 30d",
            "user role ada admin --data-dir data",
        ],
        [
            UserShowCommand.self, ListCommand<UserList>.self, OrderCommand<WarnUser>.self,
            OrderCommand<SilenceUser>.self, OrderCommand<SuspendUser>.self, OrderCommand<ReinstateUser>.self,
            UserRoleCommand.self, UserPasswordCommand.self, UserTOTPCommand.self, UserStrikesCommand.self,
            ListCommand<UserHome>.self, UserWhyCommand.self,
        ])
}

enum WarnUser: OrderKind {
    typealias Scope = WarningCommunity
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .warnUser, "warn", "Warn users; each warning is a strike.",
        "user warn cyd --reason 'No advertisements' --for 90d")
}

enum SilenceUser: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .silenceUser, "silence", "Silence users; only their followers see their posts.",
        "user silence cyd --reason 'Floods every topic' --until 2026-12-01")
}

enum SuspendUser: OrderKind {
    typealias Ending = EndingOptions
    static let description = OrderDescription(
        .suspendUser, "suspend", "Suspend users; they are hidden and can only manage their own account.",
        "user suspend cyd --reason 'Spam, again' --for 30d", "user suspend - --reason 'Bots' --yes < usernames.txt")
}

enum ReinstateUser: OrderKind {
    static let description = OrderDescription(
        .reinstateUser, "reinstate", "End silences and suspensions.", "user reinstate cyd", usualReason: "reinstated")
}

enum UserList: ListKind {
    struct Filters: ListFilters {
        @Argument(help: "Words in the name, or the beginning of a username.")
        var words: [String]

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(path: "/v1/moderation/users", query: [("q", words.joined(separator: " "))])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "Find users, including suspended ones.", examples: "user list cyd", "user list cyd --json")
    static let columns = [
        TableColumn("id", "userId", .whole), TableColumn("username", "username"), TableColumn("name", "displayName"),
        TableColumn("since", "createdAt", .time), TableColumn("role", "siteRole"),
        TableColumn("silenced", "silencedAt", .time), TableColumn("suspended", "suspendedAt", .time),
    ]
}

struct UserShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a user with strikes, reports and history.", examples: "user show cyd")

    @Argument(help: "Username.")
    var username: String

    @OptionGroup var scope: OptionalCommunity
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let community = try await server.communityID(scope.community)
        let user: String = try await server.userID(username)
        let record = try await server.get("/v1/moderation/users/\(user)", [("communityId", community)])
        show(record) { RecordRendering.lines(record, on: $0, columns: ModlogList.inRecords) }
    }
}

struct UserStrikesCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "strikes", "List the newest strikes against a user, at most 100.", examples: "user strikes cyd", "user strikes")

    @Argument(help: "Username. (default: your own)")
    var username: String?

    @OptionGroup var scope: OptionalCommunity
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let strikes: [JSONValue]
        if let user = try await server.userID(username) {
            let community = try await server.communityID(scope.community)
            let record = try await server.get("/v1/moderation/users/\(user)", [("communityId", community)])
            strikes = record.member("strikes")?.arrayValue ?? []
        } else {
            strikes = try await server.get("/v1/me/strikes").member("items")?.arrayValue ?? []
        }
        let columns = [
            TableColumn("entry", "entryId", .whole), TableColumn("at", "createdAt", .time),
            TableColumn("in", "community"),
            TableColumn("ends", "expiresAt", .time), TableColumn("reason", "reason"),
        ]
        show(ListAnswer.json(strikes, next: nil)) { ListAnswer.lines(columns, strikes, hasMore: false, on: $0) }
    }
}

enum UserHome: ListKind {
    struct Filters: ListFilters {
        @Argument(help: "Username.")
        var username: String

        func request(on server: ModerationServer) async throws -> ListRequest {
            let user: String = try await server.userID(username)
            return ListRequest(path: "/v1/moderation/users/\(user)/home")
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "home", "Show a user's home timeline with the reasons for each post.", examples: "user home ada --limit 10")
    static let columns = [
        TableColumn("post", "postId", .whole), TableColumn("at", "createdAt", .time), TableColumn("author", "author"),
        TableColumn("why", "why"), TableColumn("caption", "caption"),
    ]
}

struct UserWhyCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "why", "Explain why a post is in a user's home timeline, or why it is not.",
        examples: "user why ada 244120806002688")

    @Argument(help: "Username.")
    var username: String

    @Argument(help: "Id of the post.")
    var post: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let user: String = try await server.userID(username)
        let record = try await server.get(
            "/v1/moderation/users/\(user)/why/\(try SubjectInput.id(post, of: .post))")
        show(record) { RecordRendering.lines(record, on: $0) }
    }
}
