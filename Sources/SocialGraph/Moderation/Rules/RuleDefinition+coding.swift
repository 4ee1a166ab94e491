import Foundation

/// A definition as it is stored: JSON with sorted keys.
extension RuleDefinition {
    private struct Stored: Codable {
        var words: [String]?
        var wholeWords: Bool?
        var pattern: String?
        var domains: [String]?
        var mode: String?
        var count: Int64?
        var seconds: Int64?
        var maxAgeSeconds: Int64?
        var minPosts: Int64?
    }

    /// Nil: not of this kind.
    init?(_ kind: Kind, stored text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else { return nil }
        switch kind {
        case .keyword:
            guard let words = stored.words else { return nil }
            self = .keyword(words: words, wholeWords: stored.wholeWords ?? true)
        case .pattern:
            guard let pattern = stored.pattern else { return nil }
            self = .pattern(pattern)
        case .link:
            guard let domains = stored.domains, let mode = stored.mode.flatMap(LinkMode.init) else { return nil }
            self = .link(domains: domains, mode: mode)
        case .rate:
            guard let count = stored.count, let seconds = stored.seconds else { return nil }
            self = .rate(count: count, seconds: seconds)
        case .newAccount:
            guard let age = stored.maxAgeSeconds else { return nil }
            self = .newAccount(maxAgeSeconds: age, minPosts: stored.minPosts)
        }
    }

    func stored() throws -> String {
        var stored = Stored()
        switch self {
        case .keyword(let words, let wholeWords): (stored.words, stored.wholeWords) = (words, wholeWords)
        case .pattern(let text): stored.pattern = text
        case .link(let domains, let mode): (stored.domains, stored.mode) = (domains, mode.rawValue)
        case .rate(let count, let seconds): (stored.count, stored.seconds) = (count, seconds)
        case .newAccount(let age, let posts): (stored.maxAgeSeconds, stored.minPosts) = (age, posts)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(stored), as: UTF8.self)
    }
}
