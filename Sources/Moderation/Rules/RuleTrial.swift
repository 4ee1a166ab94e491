import Database
import SocialGraph
import Text

/// Applies one rule to one text without a database, for fuzzing and for measuring the cost of a rule.
package enum RuleTrial {
    /// Applies a pattern. Throws ``ModerationError/invalidOrder(field:_:)`` for an invalid pattern.
    package static func pattern(_ pattern: String, in text: String) throws { try match(.pattern(pattern), text) }

    /// Applies a keyword. Throws ``ModerationError/invalidOrder(field:_:)`` for an invalid word.
    package static func keyword(_ word: String, in text: String) throws {
        try match(.keyword(words: [word, "free"], wholeWords: true), text)
        try match(.keyword(words: [word, "free"], wholeWords: false), text)
    }

    /// Applies a domain. Throws ``ModerationError/invalidOrder(field:_:)`` for an invalid domain.
    package static func link(_ domain: String, in text: String) throws {
        for mode in RuleDefinition.LinkMode.allCases { try match(.link(domains: [domain], mode: mode), text) }
    }

    private static func match(_ definition: RuleDefinition, _ text: String) throws {
        try definition.validate()
        let rule = try CompiledRule(definition, id: RuleID(rawValue: 1), name: "trial", action: .flag)
        _ = rule.match([FoldedText(text)])
    }
}
