import ArgumentParser
import CommandSupport
import Moderation
import StrictJSON

/// `graphd rules …`
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "rules", "Manage rules that hold, flag or remove posts and comments.",
        examples: [
            "rules list --community Runners",
            "rules add 'Pill sellers' --kind keyword --words 'viagra,cheap pills' --action hold --community Runners",
            "rules dry-run 244120833662976 --last 5000",
        ],
        [
            ListCommand<RuleList>.self, RuleShowCommand.self, RuleAddCommand.self, RuleEditCommand.self,
            RuleSwitchCommand<SwitchOn>.self, RuleSwitchCommand<SwitchOff>.self, RuleRemoveCommand.self,
            RuleDryRunCommand.self,
        ])

    static let path = "/v1/moderation/rules"
}

enum RuleList: ListKind {
    struct Filters: ListFilters {
        @Option(help: ArgumentHelp("Only rules of this community. (default: those of the site)", valueName: "name"))
        var community: String?

        func request(on server: ModerationServer) async throws -> ListRequest {
            ListRequest(
                path: RulesCommand.path, query: [("communityId", try await server.communityID(community))])
        }
    }

    static let configuration = CommandConfiguration.moderation(
        "list", "List rules.", examples: "rules list --community Runners")
    static let columns = [
        TableColumn("rule", "ruleId", .whole), TableColumn("name", "name"), TableColumn("kind", "kind"),
        TableColumn("action", "action"), TableColumn("enabled", "enabled", .flag),
        TableColumn("definition", "definition"),
    ]
}

struct RuleShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a rule.", examples: "rules show 244120833662976")

    @Argument(help: "Id of the rule.")
    var rule: String

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let record = try await server.get(Self.path(rule))
        show(record) { RecordRendering.lines(record, on: $0) }
    }

    static func path(_ rule: String) throws -> String { "\(RulesCommand.path)/\(try settingID(rule, "rule"))" }
}

/// Parses the id of a rule or a classifier. Throws ``ModerationFailure`` for anything else.
func settingID(_ text: String, _ kind: String) throws -> String {
    guard let id = ModerationServer.isID(text) ? text : ModerationServer.id(text) else {
        throw ModerationFailure(.badData, "\"\(text)\" is not a \(kind). Give its id, a number.")
    }
    return id
}

struct RuleAddCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "add", "Add a rule. It is off until it is enabled, unless --enable is given.",
        "With --dry-run the rule is checked against the latest posts, and not saved.",
        examples: "rules add 'Pill sellers' --kind keyword --words 'viagra,cheap pills' --action hold",
        "rules add 'No shops' --kind link --domains shop.example --action remove --community Runners --dry-run")

    @Argument(help: "Name of the rule.")
    var name: String

    @Option(help: "Kind of rule.")
    var kind: RuleKind

    @Option(help: "Action on a match.")
    var action: RuleEffect

    @Option(help: ArgumentHelp("Community that the rule applies to. (default: the whole site)", valueName: "name"))
    var community: String?

    @Flag(help: "Enable the rule at once.")
    var enable = false

    @Flag(name: .customLong("dry-run"), help: "Print earlier matches without saving the rule.")
    var dryRun = false

    @OptionGroup var definition: RuleDefinitionOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard try definition.value(kind) != nil else {
            throw ValidationError(
                "A rule of the kind \(kind.rawValue) needs \(RuleDefinitionOptions.needs(kind)).")
        }
    }

    func run(on server: ModerationServer) async throws {
        let rule = JSONValue.members(
            ("name", .string(name)), ("kind", .string(kind.rawValue)), ("action", .string(action.rawValue)),
            ("communityId", try await server.communityID(community).map { .string($0) }),
            ("enabled", .bool(enable)), ("definition", try definition.value(kind)))
        if dryRun { return try await tryOut(rule, last: RuleDryRunCommand.usual, on: server) }
        let change = PlannedChange(
            method: "POST", path: RulesCommand.path, body: rule,
            sentence: "Add the rule \"\(name)\": \(action.rawValue) by \(kind.rawValue).")
        try await carryOut(change, on: server, isDryRun: false)
    }
}

struct RuleEditCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "edit", "Change a rule.", "With --dry-run the changed rule is checked against the latest posts, and not saved.",
        examples: "rules edit 244120833662976 --words 'viagra,cheap pills,casino'")

    @Argument(help: "Id of the rule.")
    var rule: String

    @Option(help: ArgumentHelp("New name.", valueName: "text"))
    var name: String?

    @Option(help: "Action on a match.")
    var action: RuleEffect?

    @Flag(name: .customLong("dry-run"), help: "Print earlier matches without changing the rule.")
    var dryRun = false

    @OptionGroup var definition: RuleDefinitionOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let path = try RuleShowCommand.path(rule)
        let old = try await server.get(path)
        let kind = old.member("kind")?.stringValue.flatMap { RuleKind(rawValue: $0) } ?? .keyword
        let changes = JSONValue.members(
            ("name", name.map { .string($0) }), ("action", action.map { .string($0.rawValue) }),
            ("definition", try definition.value(kind)))
        guard case .object(let members) = changes, !members.isEmpty else {
            throw ValidationError("Name at least one option to change.")
        }
        if dryRun {
            let new = members.reduce(old) { $0.setting($1.name, to: $1.value) }
            return try await tryOut(new, last: RuleDryRunCommand.usual, on: server)
        }
        let change = PlannedChange(
            method: "PATCH", path: path, body: changes,
            sentence: "Change the rule \"\(old.member("name")?.stringValue ?? rule)\".")
        try await carryOut(change, on: server, isDryRun: false)
    }
}

struct RuleRemoveCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "remove", "Remove a rule. Its past actions stay.", examples: "rules remove 244120833662976")

    @Argument(help: "Id of the rule.")
    var rule: String

    @Flag(name: .customLong("dry-run"), help: "Print the request without sending it.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let change = PlannedChange(
            method: "DELETE", path: try RuleShowCommand.path(rule), sentence: "Remove the rule \(rule).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
