import ArgumentParser
import StrictJSON

/// The options common to all commands that change data.
struct OrderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Reason, shown to the users concerned and in the public modlog.", valueName: "text"))
    var reason: String?

    @Option(help: ArgumentHelp("Note, visible only to moderators.", valueName: "text"))
    var note: String?

    @Flag(name: .customLong("dry-run"), help: "Print the effect without changing anything.")
    var dryRun = false
}

/// The choice of an expiry for an order.
protocol EndingChoice: ParsableArguments {
    /// Returns the members for the order's JSON.
    func members() throws -> [JSONMember]
}

struct EndingOptions: EndingChoice {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Duration of the action, such as 90s, 15m, 12h, 7d or 2w.", valueName: "duration"))
    var duration: String?

    @Option(
        help: ArgumentHelp("End of the action, such as 2026-12-01 or 2026-12-01T18:00:00Z.", valueName: "time"))
    var until: String?

    func validate() throws { _ = try members() }

    func members() throws -> [JSONMember] {
        switch (duration, until) {
        case (nil, nil): return []
        case (.some, .some): throw ValidationError("Give --for or --until, not both.")
        case (let duration?, nil):
            guard let seconds = EndTime.seconds(duration) else {
                throw ValidationError("--for must be a duration such as 90s, 15m, 12h, 7d or 2w.")
            }
            return [JSONMember(name: "duration", value: .integer(seconds))]
        case (nil, let until?):
            guard let time = EndTime.milliseconds(until) else {
                throw ValidationError("--until must be a time such as 2026-12-01 or 2026-12-01T18:00:00Z.")
            }
            return [JSONMember(name: "expiresAt", value: .string(EndTime.text(time)))]
        }
    }
}

struct NoEnding: EndingChoice {
    func members() throws -> [JSONMember] { [] }
}

/// The choice of a community for an order.
protocol ScopeChoice: ParsableArguments {
    var community: String? { get }
}

struct RequiredCommunity: ScopeChoice {
    @Option(name: .customLong("community"), help: ArgumentHelp("Name of the community.", valueName: "name"))
    var name: String
    var community: String? { name }
}

struct OptionalCommunity: ScopeChoice {
    @Option(help: ArgumentHelp("Refuse subjects that are not in this community.", valueName: "name"))
    var community: String?
}

/// The optional community of a warning.
struct WarningCommunity: ScopeChoice {
    @Option(help: ArgumentHelp("Community in which the action applies. (default: the whole site)", valueName: "name"))
    var community: String?
}

struct NoScope: ScopeChoice {
    var community: String? { nil }
}
