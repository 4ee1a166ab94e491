import ArgumentParser
import CommandSupport
import StrictJSON

protocol RuleSwitch: Sendable {
    static var name: String { get }
    static var isOn: Bool { get }
}

enum SwitchOn: RuleSwitch {
    static let name = "enable"
    static let isOn = true
}

enum SwitchOff: RuleSwitch {
    static let name = "disable"
    static let isOn = false
}

/// `graphd rules enable|disable`
struct RuleSwitchCommand<Switch: RuleSwitch>: ModerationCommand {
    static var configuration: CommandConfiguration {
        .moderation(
            Switch.name, "Switch a rule \(Switch.isOn ? "on" : "off").",
            Switch.isOn ? "With --dry-run it is tried on what was written last, and stays off." : "",
            examples: "rules \(Switch.name) 244120833662976")
    }

    @Argument(help: "Its id.")
    var rule: String

    @Flag(name: .customLong("dry-run"), help: "Show what would be, and change nothing.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let path = try RuleShowCommand.path(rule)
        if dryRun, Switch.isOn {
            return try await tryOut(try await server.get(path), last: RuleDryRunCommand.usual, on: server)
        }
        let change = PlannedChange(
            method: "PATCH", path: path, body: .members(("enabled", .bool(Switch.isOn))),
            sentence: "Switch the rule \(rule) \(Switch.isOn ? "on" : "off").")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}

struct RuleDryRunCommand: ModerationCommand {
    static let usual = 1_000

    static let configuration = CommandConfiguration.moderation(
        "dry-run", "Show what a rule would have matched among what was written last.",
        examples: "rules dry-run 244120833662976 --last 5000", "rules dry-run - < rule.json")

    @Argument(help: "A rule's id, or - for a rule as JSON from standard input.")
    var rule: String

    @Option(help: "How many posts and comments to look at.")
    var last = Self.usual

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if !(1...10_000).contains(last) { throw ValidationError("--last takes from 1 to 10000.") }
    }

    func run(on server: ModerationServer) async throws {
        let json: JSONValue
        if rule == "-" {
            let text = Array(AnyIterator { readLine(strippingNewline: false) }).joined()
            guard let read = try? JSONReader.read(Array(text.utf8)) else {
                throw ModerationFailure(.badData, "Standard input is no rule as JSON.")
            }
            json = read
        } else {
            json = try await server.get(RuleShowCommand.path(rule))
        }
        try await tryOut(json, last: last, on: server)
    }
}

extension ModerationCommand {
    /// Shows the matches of a rule in existing content. Leaves out the fields that the server adds to a rule.
    func tryOut(_ rule: JSONValue, last: Int, on server: ModerationServer) async throws {
        guard case .object(let members) = rule else {
            throw ModerationFailure(.badData, "A rule is a JSON object.")
        }
        let own = ["name", "kind", "action", "communityId", "definition"]
        let asked = JSONValue.object(members.filter { own.contains($0.name) && $0.value != .null })
        let answer = try await server.send(
            "POST", RulesCommand.path + "/dry-run", .members(("rule", asked), ("last", .integer(Int64(last)))))
        let columns = [
            TableColumn("subject", "subject", .subject), TableColumn("by", "user"),
            TableColumn("matched", "matchedText"), TableColumn("excerpt", "excerpt"),
        ]
        let items = answer.member("items")?.arrayValue ?? []
        show(answer) { channel in
            let lines = TableRendering.lines(columns, items, on: channel)
            guard channel.isTerminal else { return lines }
            let count = answer.member("matched")?.integerValue ?? 0
            return (items.isEmpty ? [] : lines)
                + ["would match \(count) of \(answer.member("looked")?.integerValue ?? 0)"]
        }
    }
}
