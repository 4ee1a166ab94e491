import ArgumentParser
import CommandSupport
import Moderation
import StrictJSON

/// `graphd rules …`
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderationGroup(
        "rules", "Rules that hold, flag or remove what is written.",
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
        @Option(help: ArgumentHelp("Of this community; without it those of the site.", valueName: "name"))
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
        TableColumn("looks for", "definition"),
    ]
}

struct RuleShowCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "show", "Show a rule.", examples: "rules show 244120833662976")

    @Argument(help: "Its id.")
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
        throw ModerationFailure(.badData, "\"\(text)\" is no \(kind): give its id, a number.")
    }
    return id
}

struct RuleAddCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "add", "Make a rule. It is off until it is enabled, unless --enable is given.",
        "With --dry-run it is tried on what was written last, and not kept.",
        examples: "rules add 'Pill sellers' --kind keyword --words 'viagra,cheap pills' --action hold",
        "rules add 'No shops' --kind link --domains shop.example --action remove --community Runners --dry-run")

    @Argument(help: "Its name.")
    var name: String

    @Option(help: "What it looks for.")
    var kind: RuleKind

    @Option(help: "What is done.")
    var action: RuleEffect

    @Option(help: ArgumentHelp("The community; without it the whole site.", valueName: "name"))
    var community: String?

    @Flag(help: "Switch it on at once.")
    var enable = false

    @Flag(name: .customLong("dry-run"), help: "Show what it would have matched, and keep nothing.")
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
        "edit", "Change a rule.", "With --dry-run the changed rule is tried on what was written last, and not kept.",
        examples: "rules edit 244120833662976 --words 'viagra,cheap pills,casino'")

    @Argument(help: "Its id.")
    var rule: String

    @Option(help: ArgumentHelp("Another name.", valueName: "text"))
    var name: String?

    @Option(help: "What is done.")
    var action: RuleEffect?

    @Flag(name: .customLong("dry-run"), help: "Show what it would have matched, and change nothing.")
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
            throw ValidationError("Say what is to be changed.")
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
        "remove", "Remove a rule. What it has done stays.", examples: "rules remove 244120833662976")

    @Argument(help: "Its id.")
    var rule: String

    @Flag(name: .customLong("dry-run"), help: "Show the request, and send nothing.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let change = PlannedChange(
            method: "DELETE", path: try RuleShowCommand.path(rule), sentence: "Remove the rule \(rule).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}
