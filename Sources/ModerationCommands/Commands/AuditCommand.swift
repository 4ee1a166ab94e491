import ArgumentParser
import Audit
import CommandSupport
import Database
import SocialGraph
import StrictJSON

/// Lists the audit on the machine itself.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "audit", "List acts of admins and operators that the modlog does not have, newest first.",
        """
        It reads the data directory directly, even while a server runs. Passwords, authenticators, tokens, keys, \
        imports, rebuilds, rules, classifiers and app webhooks are here; actions of moderators and changes of roles \
        are in the modlog: graphd modlog list.
        """,
        examples: "audit --data-dir data", "audit --action tokenIssued --all --json")

    @Option(help: ArgumentHelp("Only this action, such as passwordReplaced.", valueName: "action"))
    var action: AuditAction?

    @Option(help: ArgumentHelp("Only acts over HTTP by this user.", valueName: "id"))
    var actor: Int64?

    @Option(help: ArgumentHelp("Only acts on this user, webhook, rule, classifier or entry.", valueName: "id"))
    var subject: Int64?

    @OptionGroup var paging: PagingOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var directory: DataDirectoryOptions

    /// Entries of one query.
    private static let pageSize = 1_000

    func validate() throws {
        guard filters.count <= 1 else { throw ValidationError("Give one of --action, --actor and --subject.") }
        if let cursor = paging.cursor, Int64(cursor) == nil {
            throw ValidationError("--cursor must be the nextCursor of an earlier --json answer.")
        }
    }

    private var filters: [AuditFilter] {
        [
            action.map(AuditFilter.action), actor.map { .actor(UserID(rawValue: $0)) },
            subject.map(AuditFilter.subject),
        ].compactMap(\.self)
    }

    func run() async throws {
        try await MessageOnFailure.run {
            let graph = try directory.openExisting()
            var (items, next) = ([JSONValue](), paging.cursor.flatMap { Int64($0) })
            repeat {
                let limit = min(paging.count - items.count, Self.pageSize)
                let page = try await graph.audit.entries(filters.first, below: next, limit: limit)
                items += page.items.map(Self.object)
                next = page.next
            } while next != nil && items.count < paging.count
            let cursor = next.map { String($0) }
            if json {
                print(ListAnswer.json(items, next: cursor).terminalText)
            } else {
                let lines = ListAnswer.lines(Self.columns, items, hasMore: cursor != nil, on: .standard())
                for line in lines { print(line) }
            }
        }
    }

    static let columns = [
        TableColumn("entry", "entryId", .whole), TableColumn("at", "createdAt", .time),
        TableColumn("user", "actorId", .whole), TableColumn("machine user", "machineUser"),
        TableColumn("action", "action", .whole),
        TableColumn("subject", "subjectId", .whole), TableColumn("detail", "detail"),
    ]

    /// Returns the entry in the format of the server.
    private static func object(_ entry: AuditEntry) -> JSONValue {
        var (user, name): (JSONValue, JSONValue) = (.null, .null)
        switch entry.act.actor {
        case .user(let id): user = .string(String(id.rawValue))
        case .machine(let text): name = .string(text)
        }
        return .members(
            ("entryId", .string(String(entry.id))), ("createdAt", .string(EndTime.text(entry.createdAt))),
            ("action", .string(entry.act.action.rawValue)), ("actorId", user), ("machineUser", name),
            ("subjectId", entry.act.subject.map { .string(String($0)) } ?? .null),
            ("detail", entry.act.detail.map { .string($0) } ?? .null))
    }
}

extension AuditAction: ExpressibleByArgument {}
