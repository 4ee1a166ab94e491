import Synchronization

/// The rules in force of one scope, compiled, and the classifiers that are asked there.
struct RuleBook: Sendable {
    let rules: [CompiledRule]
    let classifiers: [Classifier]

    static let empty = RuleBook(rules: [], classifiers: [])
}

/// A rule with what it looks for made ready to be looked for.
struct CompiledRule: Sendable {
    private enum Matcher: Sendable {
        case keyword(KeywordMatcher)
        case pattern(Pattern)
        case link(LinkMatcher)
        case rate(count: Int64, seconds: Int64)
        case newAccount(age: Int64, posts: Int64)
    }

    let id: RuleID
    let name: String
    let action: RuleAction
    let isAboutContent: Bool
    private let matcher: Matcher

    /// Throws ``PatternError``.
    init(_ definition: RuleDefinition, id: RuleID, name: String, action: RuleAction) throws {
        self.id = id
        self.name = name
        self.action = action
        isAboutContent = definition.isAboutContent
        matcher =
            switch definition {
            case .keyword(let words, let wholeWords): .keyword(KeywordMatcher(words, wholeWords: wholeWords))
            case .pattern(let text): .pattern(try Pattern(text))
            case .link(let domains, let mode): .link(LinkMatcher(domains, mode: mode))
            case .rate(let count, let seconds): .rate(count: count, seconds: seconds)
            case .newAccount(let age, let posts): .newAccount(age: age, posts: posts ?? 0)
            }
    }

    /// What of `content` the rule is against, for people to read; nil: nothing.
    func match(_ content: ScreenedContent, in community: CommunityID?, _ reader: any SQLReader) throws -> String? {
        switch matcher {
        case .keyword(let words): return Self.first(in: content, words.firstMatch)
        case .pattern(let pattern): return Self.first(in: content, pattern.firstMatch)
        case .link(let links): return content.texts.lazy.compactMap(links.firstMatch).first
        case .rate(let count, let seconds):
            let written = try content.written(within: seconds, in: community, upTo: count + 1, reader)
            return written > count ? "more than \(count) in \(seconds) s" : nil
        case .newAccount(let age, let posts):
            if content.writtenAt - content.accountCreatedAt < age * Milliseconds.second {
                return "an account younger than \(age) s"
            }
            guard posts > 0, try content.postsBefore(upTo: posts, reader) < posts else { return nil }
            return "an author with fewer than \(posts) posts"
        }
    }

    private static func first(
        in content: ScreenedContent, _ search: ([UInt32]) -> Range<Int>?
    ) -> String? {
        for text in content.texts {
            if let range = search(text.scalars) { return text.excerpt(range) }
        }
        return nil
    }
}

/// Books that were compiled, by a version that changes with every change of rules and is never given twice, so that
/// what is found here is never out of date, whichever database asks.
enum RuleBooks {
    private struct Key: Hashable {
        let version: String
        let scope: Int64
    }

    private static let capacity = 256
    private static let compiled = Mutex<[Key: RuleBook]>([:])

    static func book(
        _ version: String, _ community: CommunityID?, orCompile compile: () throws -> RuleBook
    ) rethrows -> RuleBook {
        let key = Key(version: version, scope: community?.rawValue ?? 0)
        if let known = compiled.withLock({ $0[key] }) { return known }
        let book = try compile()
        compiled.withLock { books in
            if books.count >= capacity { books.removeAll() }
            books[key] = book
        }
        return book
    }

    static func newVersion() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next(), radix: 16) }.joined(separator: "-")
    }
}
