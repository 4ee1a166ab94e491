import Database
import Foundation
import SocialGraph

/// The stored form of a definition: JSON with sorted keys.
extension RuleDefinition {
    private struct Stored: Codable {
        var words: [String]?
        var wholeWords: Bool?
        var pattern: String?
        var domains: [String]?
        var mode: LinkMode?
        var count: Int64?
        var seconds: Int64?
        var maxAgeSeconds: Int64?
        var minPosts: Int64?
    }

    /// Decodes a definition. Throws ``DatabaseError/storageCorrupt(detail:)`` if `text` is not of this kind.
    package init(_ kind: Kind, stored text: String) throws {
        func part<Part>(_ value: Part?) throws -> Part {
            guard let value else { throw DatabaseError.undecodable(Self.self, text) }
            return value
        }
        let stored = try part(try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)))
        switch kind {
        case .keyword:
            self = .keyword(words: try part(stored.words), wholeWords: try part(stored.wholeWords))
        case .pattern:
            self = .pattern(try part(stored.pattern))
        case .link:
            self = .link(domains: try part(stored.domains), mode: try part(stored.mode))
        case .rate:
            self = .rate(count: try part(stored.count), seconds: try part(stored.seconds))
        case .newAccount:
            self = .newAccount(maxAgeSeconds: try part(stored.maxAgeSeconds), minPosts: stored.minPosts)
        }
    }

    package func stored() throws -> String {
        var stored = Stored()
        switch self {
        case .keyword(let words, let wholeWords): (stored.words, stored.wholeWords) = (words, wholeWords)
        case .pattern(let text): stored.pattern = text
        case .link(let domains, let mode): (stored.domains, stored.mode) = (domains, mode)
        case .rate(let count, let seconds): (stored.count, stored.seconds) = (count, seconds)
        case .newAccount(let age, let posts): (stored.maxAgeSeconds, stored.minPosts) = (age, posts)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(stored), as: UTF8.self)
    }
}
