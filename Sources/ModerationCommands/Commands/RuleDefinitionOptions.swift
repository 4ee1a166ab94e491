import ArgumentParser
import CommandSupport
import Moderation
import StrictJSON

enum RuleKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case keyword, pattern, link, rate, newAccount
}

enum RuleEffect: String, ExpressibleByArgument, CaseIterable, Sendable { case hold, flag, remove }

/// The condition of a rule as flags. Each kind of rule has its own.
struct RuleDefinitionOptions: ParsableArguments {
    enum LinkMode: String, ExpressibleByArgument, CaseIterable, Sendable { case deny, allowOnly }

    @Option(help: ArgumentHelp("keyword: words, separated by commas.", valueName: "words"))
    var words: String?

    @Flag(name: .customLong("parts-of-words"), help: "keyword: also match inside words.")
    var partsOfWords = false

    @Option(help: ArgumentHelp("pattern: a regular expression.", valueName: "regex"))
    var pattern: String?

    @Option(help: ArgumentHelp("link: domains, separated by commas.", valueName: "domains"))
    var domains: String?

    @Option(help: "link: deny these domains, or allow only these.")
    var mode: LinkMode?

    @Option(help: ArgumentHelp("rate: number of posts and comments allowed within --within.", valueName: "n"))
    var count: Int64?

    @Option(help: ArgumentHelp("rate: period in which they are counted, such as 10m.", valueName: "duration"))
    var within: String?

    @Option(
        name: .customLong("max-age"),
        help: ArgumentHelp("newAccount: maximum age of the account, such as 3d.", valueName: "duration"))
    var maxAge: String?

    @Option(name: .customLong("min-posts"), help: ArgumentHelp("newAccount: or fewer posts than this.", valueName: "n"))
    var minPosts: Int64?

    @Option(help: ArgumentHelp("Definition in the JSON of the API, instead of the flags.", valueName: "json"))
    var definition: String?

    func validate() throws {
        if let definition, (try? JSONReader.read(Array(definition.utf8))) == nil {
            throw ValidationError("--definition must be a JSON object.")
        }
        for duration in [within, maxAge].compactMap({ $0 }) where EndTime.seconds(duration) == nil {
            throw ValidationError("\"\(duration)\" is not a duration. Give one such as 90s, 15m, 12h, 7d or 2w.")
        }
    }

    /// Returns the condition; nil if no flag was given. Throws `ValidationError` if a flag required by that kind of
    /// rule is missing.
    func value(_ kind: RuleKind) throws -> JSONValue? {
        if let definition { return try JSONReader.read(Array(definition.utf8)) }
        let given: [RuleKind: Bool] = [
            .keyword: words != nil, .pattern: pattern != nil, .link: domains != nil,
            .rate: count != nil && within != nil, .newAccount: maxAge != nil,
        ]
        guard given[kind] == true else {
            guard !given.values.contains(true), count == nil, within == nil, mode == nil, minPosts == nil else {
                throw ValidationError("A rule of the kind \(kind.rawValue) requires \(Self.needs(kind)).")
            }
            return nil
        }
        func list(_ text: String?) -> JSONValue {
            .array((text ?? "").split(separator: ",").map { .string(String($0.drop { $0 == " " })) })
        }
        switch kind {
        case .keyword: return .members(("words", list(words)), ("wholeWords", .bool(!partsOfWords)))
        case .pattern: return .members(("pattern", pattern.map { .string($0) }))
        case .link: return .members(("domains", list(domains)), ("mode", .string((mode ?? .deny).rawValue)))
        case .rate:
            return .members(
                ("count", count.map { .integer($0) }), ("seconds", within.flatMap(EndTime.seconds).map { .integer($0) })
            )
        case .newAccount:
            return .members(
                ("maxAgeSeconds", maxAge.flatMap(EndTime.seconds).map { .integer($0) }),
                ("minPosts", minPosts.map { .integer($0) }))
        }
    }

    static func needs(_ kind: RuleKind) -> String {
        switch kind {
        case .keyword: "--words"
        case .pattern: "--pattern"
        case .link: "--domains"
        case .rate: "--count and --within"
        case .newAccount: "--max-age"
        }
    }
}
