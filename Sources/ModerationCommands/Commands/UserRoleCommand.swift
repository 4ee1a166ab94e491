import ArgumentParser
import Audit
import CommandSupport
import Database
import Moderation
import SocialGraph
import StrictJSON

/// Sets site roles, through a running server or on the machine itself. The first admin is appointed on the machine.
struct UserRoleCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "role", "Change the site role of users: admin, moderator or none.",
        """
        With --data-dir the command changes the data directory directly, even while a server runs, and takes effect \
        at once. It needs no token, and so can create the first admin.
        """,
        examples: "user role ada admin --data-dir data", "user role bob moderator --reason 'Joins the team'",
        "user role bob none")

    enum Role: String, ExpressibleByArgument, CaseIterable, Sendable { case admin, moderator, none }

    @Argument(help: "Username, or - to read usernames from standard input, one a line.")
    var username: String

    @Argument(help: "New role.")
    var role: Role

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp("Data directory to change directly. (default: ask a server)", valueName: "directory"))
    var dataDirectory: String?

    @Option(
        help: ArgumentHelp(
            "With --data-dir: PostgreSQL database of the graph, without a password. (default: "
                + "\(DatabaseServer.environmentVariable) of the environment, else graph.db in the data directory)",
            valueName: "url"))
    var database: String?

    @OptionGroup var ending: EndingOptions
    @OptionGroup var order: OrderOptions
    @OptionGroup var connection: ConnectionOptions

    var reason: String { order.reason ?? (role == .none ? "has no role now" : "is \(role.rawValue) now") }

    func validate() throws {
        guard dataDirectory != nil else {
            if database != nil {
                throw ValidationError("--database needs --data-dir.")
            }
            return
        }
        if ending.duration != nil || ending.until != nil || order.note != nil {
            throw ValidationError("With --data-dir a role cannot have an end or a note.")
        }
    }

    func run() async throws {
        try await MessageOnFailure.run {
            if let dataDirectory {
                try await appoint(in: dataDirectory)
            } else {
                try await run(on: ModerationServer.open(connection))
            }
        }
    }

    func run(on server: ModerationServer) async throws {
        let names = try SubjectInput.texts([username])
        let draft = OrderDraft(
            action: .setSiteRole, subjects: try await server.ids(names, of: .user), names: names, reason: reason,
            note: order.note,
            details: [JSONMember(name: "role", value: .string(role.rawValue))] + (try ending.members()))
        try await OrderRun(server: server, connection: connection, isDryRun: order.dryRun).run([draft])
    }

    private func appoint(in path: String) async throws {
        let graph = try DataDirectory.open(at: path, server: .named(database)).openGraph()
        var users: [(name: String, id: UserID)] = []
        for name in try SubjectInput.texts([username]) {
            guard let account = try await graph.accounts.account(username: name) else {
                throw ModerationFailure(.notFound, "There is no user named \"\(name)\" in \(path).")
            }
            users.append((name, account.id))
        }
        let names = users.map(\.name).joined(separator: ", ")
        if !order.dryRun, !connection.yes {
            try Confirmation.terminal.require("set site role: \(names): \(role.rawValue). Reason: \(reason)")
        }
        var report = OrderReport(isDryRun: order.dryRun)
        for user in users {
            if order.dryRun {
                report.add(try await wouldChange(user.id, in: graph))
            } else {
                let note = AuditNote(.siteRoleSet, by: .machineUser, subject: user.id.rawValue, detail: role.rawValue)
                let outcome = try await graph.moderation.appoint(
                    SiteRole(rawValue: role.rawValue), user.id, reason: reason, with: note)
                report.add(
                    Self.answer(batch: outcome.batch, outcome.results.map { (user.id, $0.isChanged, $0.entry) }))
            }
        }
        show(report.json) { report.lines(on: $0) }
    }

    private func wouldChange(_ user: UserID, in graph: GraphStore) async throws -> JSONValue {
        let now = try await graph.moderation.siteRole(of: user)
        return Self.answer(batch: nil, [(user, now?.rawValue ?? "none" != role.rawValue, nil)])
    }

    /// Returns the result in the format of the server.
    private static func answer(
        batch: BatchID?, _ results: [(user: UserID, isChanged: Bool, entry: ModlogEntryID?)]
    ) -> JSONValue {
        let results = results.map { result in
            JSONValue.members(
                ("subject", .members(("userId", .string(String(result.user.rawValue))))),
                ("changed", .bool(result.isChanged)),
                ("entryId", result.entry.map { .string(String($0.rawValue)) } ?? .null))
        }
        return .members(
            ("batch", batch.map { .string(String($0.rawValue)) } ?? .null),
            ("action", .string(ModerationAction.setSiteRole.rawValue)), ("results", .array(results)))
    }
}
