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
            Switch.name, Switch.isOn ? "Enable a rule." : "Disable a rule.",
            Switch.isOn ? "With --dry-run the rule is checked against the latest posts, and stays off." : "",
            examples: "rules \(Switch.name) 244120833662976")
    }

    @Argument(help: "Id of the rule.")
    var rule: String

    @Flag(name: .customLong("dry-run"), help: "Print the effect without changing anything.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let path = try RuleShowCommand.path(rule)
        if dryRun, Switch.isOn {
            return try await tryOut(try await server.get(path), last: RuleDryRunCommand.usual, on: server)
        }
        let change = PlannedChange(
            method: "PATCH", path: path, body: .members(("enabled", .bool(Switch.isOn))),
            sentence: "\(Switch.isOn ? "Enable" : "Disable") the rule \(rule).")
        try await carryOut(change, on: server, isDryRun: dryRun)
    }
}

struct RuleDryRunCommand: ModerationCommand {
    static let usual = 1_000

    static let configuration = CommandConfiguration.moderation(
        "dry-run", "Show the latest posts and comments that a rule would have matched.",
        examples: "rules dry-run 244120833662976 --last 5000", "rules dry-run - < rule.json")

    @Argument(help: "Id of the rule, or - to read a rule in JSON from standard input.")
    var rule: String

    @Option(help: "Number of latest posts and comments to check.")
    var last = Self.usual

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if !(1...10_000).contains(last) { throw ValidationError("--last must be from 1 to 10000.") }
    }

    func run(on server: ModerationServer) async throws {
        let json: JSONValue
        if rule == "-" {
            let text = Array(AnyIterator { readLine(strippingNewline: false) }).joined()
            guard let read = try? JSONReader.read(Array(text.utf8)) else {
                throw ModerationFailure(.badData, "Standard input is not a rule in JSON.")
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
            throw ModerationFailure(.badData, "A rule must be a JSON object.")
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
