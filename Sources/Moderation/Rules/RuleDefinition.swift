import SocialGraph

/// The condition of a rule.
package enum RuleDefinition: Sendable, Equatable {
    package enum LinkMode: String, Sendable, CaseIterable, Codable {
        case deny, allowOnly
    }

    package enum Kind: String, Sendable, CaseIterable {
        case keyword, pattern, link, rate, newAccount
    }

    /// Any of several words or phrases, ignoring case.
    case keyword(words: [String], wholeWords: Bool)
    /// A regular expression (``Pattern``).
    case pattern(String)
    /// Links to the given domains and their subdomains, or to any others.
    case link(domains: [String], mode: LinkMode)
    /// More than `count` posts and comments of one author in `seconds`.
    case rate(count: Int64, seconds: Int64)
    /// An author whose account is younger than `maxAgeSeconds`, or who has published fewer than `minPosts` posts.
    case newAccount(maxAgeSeconds: Int64, minPosts: Int64?)

    package var kind: Kind {
        switch self {
        case .keyword: .keyword
        case .pattern: .pattern
        case .link: .link
        case .rate: .rate
        case .newAccount: .newAccount
        }
    }

    /// True if the rule examines text, and therefore also edits.
    var isAboutContent: Bool {
        switch self {
        case .keyword, .pattern, .link: true
        case .rate, .newAccount: false
        }
    }

    /// The period of an author's writing that the rule examines.
    var lookback: (count: Int64, seconds: Int64, posts: Int64) {
        switch self {
        case .rate(let count, let seconds): (count, seconds, 0)
        case .newAccount(_, let posts): (0, 0, posts ?? 0)
        case .keyword, .pattern, .link: (0, 0, 0)
        }
    }

    /// Throws ``ModerationError/invalidOrder(field:_:)`` for a condition that can never match or that is too large.
    func validate() throws {
        func require(_ holds: Bool, _ field: String, _ why: String) throws {
            guard holds else { throw ModerationError.invalidOrder(field: "definition.\(field)", why) }
        }
        let domains = ModerationLimits.ruleDomains
        let longest = ModerationLimits.ruleSeconds
        switch self {
        case .keyword(let list, _):
            try Self.validate(words: list)
        case .pattern(let text):
            let limit = ModerationLimits.patternLength
            try require(
                text.unicodeScalars.count <= limit, "pattern", "A pattern may have at most \(limit) characters.")
            do {
                let pattern = try Pattern(text)
                if let excess = pattern.excess { throw excess }
                let isEmptyTaken = pattern.firstMatch(in: []) != nil
                try require(
                    !isEmptyTaken, "pattern", "The pattern matches the empty text, so it would match everything.")
            } catch let error as PatternError {
                throw ModerationError.invalidOrder(
                    field: "definition.pattern",
                    "The pattern is not valid at character \(error.offset): \(error.message).")
            }
        case .link(let list, _):
            try require(
                (1...domains).contains(list.count), "domains",
                "A rule must have 1 to \(domains) domains; got \(list.count).")
            for text in list {
                let isDomain = text.unicodeScalars.count <= 253 && LinkMatcher.domain(text) != nil
                try require(isDomain, "domains", "A domain must be a name such as example.org.")
            }
        case .rate(let count, let seconds):
            try require((1...10_000).contains(count), "count", "\"count\" must be from 1 to 10000; got \(count).")
            try require(
                (1...longest).contains(seconds), "seconds", "\"seconds\" must be from 1 to \(longest); got \(seconds).")
        case .newAccount(let age, let posts):
            try require(
                (0...longest).contains(age), "maxAgeSeconds",
                "\"maxAgeSeconds\" must be from 0 to \(longest); got \(age).")
            try require(
                (0...1_000).contains(posts ?? 0), "minPosts", "\"minPosts\" must be from 0 to 1000; got \(posts ?? 0).")
        }
    }
}
