import Database
import SocialGraph
import Text

/// The compiled rules in force in one scope, and its classifiers.
struct RuleBook: Sendable {
    let rules: [CompiledRule]
    let classifiers: [Classifier]

    /// The maximum number of steps for one scalar of a text.
    var weight: Int { rules.reduce(0) { $0 + $1.weight } }

    /// True if any rule examines text.
    var isAboutContent: Bool { rules.contains(where: \.isAboutContent) }
}

/// A rule with its compiled matcher.
struct CompiledRule: Sendable {
    private enum Matcher: Sendable {
        case keyword(KeywordMatcher)
        case pattern(Pattern)
        case link(LinkMatcher)
        case rate(count: Int64, seconds: Int64)
        case newAccount(age: Int64, posts: Int64)
        /// Words of an earlier version beyond the limits of a book.
        case tooLarge
    }

    let id: RuleID
    let name: String
    let action: RuleAction
    let isAboutContent: Bool
    private let matcher: Matcher

    /// Compiles a rule. Throws ``PatternError``.
    init(_ definition: RuleDefinition, id: RuleID, name: String, action: RuleAction) throws {
        var room = RuleBook.room
        try self.init(definition, id: id, name: name, action: action, room: &room)
    }

    /// Compiles a rule. Throws ``PatternError``.
    ///
    /// - Parameter room: The number of scalars of folded words for which there is room in a book; negative after a rule
    ///   without enough room, which is not compiled (``isTooLarge``).
    init(
        _ definition: RuleDefinition, id: RuleID, name: String, action: RuleAction, room: inout Int
    ) throws {
        self.id = id
        self.name = name
        self.action = action
        isAboutContent = definition.isAboutContent
        matcher =
            switch definition {
            case .keyword(let words, let wholeWords): Self.keyword(words, wholeWords, &room)
            case .pattern(let text): .pattern(try Pattern(text))
            case .link(let domains, let mode): .link(LinkMatcher(domains, mode: mode))
            case .rate(let count, let seconds): .rate(count: count, seconds: seconds)
            case .newAccount(let age, let posts): .newAccount(age: age, posts: posts ?? 0)
            }
    }

    private static func keyword(_ words: [String], _ wholeWords: Bool, _ room: inout Int) -> Matcher {
        var folded: [[UInt32]] = []
        for word in words where room >= 0 {
            let skeleton = FoldedText(word).skeleton
            folded.append(skeleton)
            room -= skeleton.count
        }
        return room >= 0 ? .keyword(KeywordMatcher(folded: folded, wholeWords: wholeWords)) : .tooLarge
    }

    /// True if the rule is not compiled, and therefore matches nothing.
    var isTooLarge: Bool {
        if case .tooLarge = matcher { return true }
        return false
    }

    /// An estimate of the size in bytes.
    var size: Int {
        let base = 200
        return switch matcher {
        case .keyword(let words): base + words.size
        case .pattern(let pattern): base + pattern.size
        case .link(let links): base + links.size
        case .rate, .newAccount, .tooLarge: base
        }
    }

    /// Returns the reason, for display, why the rule rejects `texts`. Nil if it does not, if the rule is not about
    /// content, or if the budget has run out.
    func match(_ texts: [FoldedText], _ budget: inout SearchSteps) -> String? {
        for text in texts where !budget.isExhausted {
            if let found = match(text, &budget) { return found }
        }
        return nil
    }

    /// Same as ``match(_:_:)``, without a budget.
    func match(_ texts: [FoldedText]) -> String? {
        var budget = SearchSteps.unlimited
        return match(texts, &budget)
    }

    /// Returns an excerpt for display, of one of the spellings.
    private func excerpt(_ range: Range<Int>, of scalars: [UInt32]) -> String {
        FoldedText.excerpt(range, of: scalars, length: ModerationLimits.matchedTextLength)
    }

    private func match(_ text: FoldedText, _ budget: inout SearchSteps) -> String? {
        switch matcher {
        case .keyword(let words):
            return words.firstMatch(in: text.skeleton, &budget).map { excerpt($0, of: text.skeleton) }
        case .pattern(let pattern):
            // A pattern may match marks or an alphabet, so it is first applied to the scalars as written.
            if let range = pattern.firstMatch(in: text.scalars, &budget) {
                return excerpt(range, of: text.scalars)
            }
            guard text.isDisguised else { return nil }
            return pattern.firstMatch(in: text.skeleton, &budget).map { excerpt($0, of: text.skeleton) }
        case .link(let links): return links.firstMatch(in: text, &budget)
        case .rate, .newAccount, .tooLarge: return nil
        }
    }

    /// The maximum number of steps for one scalar of a text.
    var weight: Int {
        switch matcher {
        case .pattern(let pattern): pattern.weight
        case .keyword, .link: 2
        case .rate, .newAccount, .tooLarge: 0
        }
    }

    /// The period of an author's writing that the rule examines.
    var lookback: (count: Int64, seconds: Int64, posts: Int64) {
        switch matcher {
        case .rate(let count, let seconds): (count, seconds, 0)
        case .newAccount(_, let posts): (0, 0, posts)
        case .keyword, .pattern, .link, .tooLarge: (0, 0, 0)
        }
    }

    /// Returns the reason, for display, why the rule rejects the author of `content`. Nil if it does not, or if the
    /// rule is about content.
    func match(author: ScreenedAuthor, of content: ModerationSubject) -> String? {
        let time = IDSequence.milliseconds(of: content.rawValue)
        switch matcher {
        case .rate(let count, let seconds):
            let first = IDSequence.first(at: time - seconds * Milliseconds.second)
            let written = author.written.count { $0 > first && $0 <= content.rawValue }
            return written > count ? "more than \(count) in \(seconds) s" : nil
        case .newAccount(let age, let posts):
            if time - author.accountCreatedAt < age * Milliseconds.second {
                return "an account younger than \(age) s"
            }
            return author.posts < posts ? "an author with fewer than \(posts) posts" : nil
        case .keyword, .pattern, .link, .tooLarge: return nil
        }
    }
}
